/** Stays low: leads and follows with its lowest card, and leaves every other decision to the SDK's judgement. */

import { type Action, Bot, decide, leastBy, ofKind, run, type Table } from "./king/index.js";

class SimpleBot extends Bot {
  override readonly name = "node-simple";

  override choose(table: Table, actions: readonly Action[]): Action {
    const plays = ofKind(actions, "play");
    if (plays.length === 0) return decide(table, actions);
    return leastBy(plays, ({ card }) => card.rank);
  }
}

await run(new SimpleBot());
