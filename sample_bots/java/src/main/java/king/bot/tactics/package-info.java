/**
 * Judgement for any bot that wants it: the worth of a hand, and every call but card play. The
 * protocol needs none of it.
 */
package king.bot.tactics;
