/**
 * The SDK for King Arena bots: derive from {@link king.bot.Bot}, write {@code choose}, call {@link
 * king.bot.BotProcess#run}.
 */
package king.bot;
