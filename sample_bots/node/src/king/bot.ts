/** What a bot is: one method to write, and the clock that it may look at. Knows nothing of the wire. */

import type { Action } from "./actions.js";
import type { Table } from "./table.js";

/** The clock of this process. One balance serves all its tables; times are in milliseconds. */
export class Clock {
  /** Requests of this frame still to be answered, the present one included. */
  unanswered = 1;
  /** How long the referee timed the frame before. */
  takenLastMs = 0;
  private balanceMs = Infinity;
  private handedAt = performance.now();

  /** A frame of requests came; called by the SDK. */
  onFrame(balanceMs: number, takenLastMs: number, requests: number): void {
    this.balanceMs = balanceMs;
    this.handedAt = performance.now();
    this.takenLastMs = takenLastMs;
    this.unanswered = requests;
  }

  /** What is left for all unanswered requests together; below zero is a fault. */
  get leftMs(): number {
    return this.balanceMs - (performance.now() - this.handedAt);
  }

  /** What is left for the present request, if the unanswered ones share alike. */
  get shareMs(): number {
    return Math.max(0, this.leftMs) / Math.max(1, this.unanswered);
  }
}

/** A player. Derive from it, write `choose`, and call `run(new YourBot())`. */
export abstract class Bot {
  /** For the referee's logs only: who a bot is follows from its token. */
  readonly name: string = this.constructor.name;
  readonly version: string = "1";
  /** Tables at once, 1 to 256. */
  readonly tableLimit: number = 64;
  readonly clock = new Clock();

  /** Takes a decision: one of `actions`, of which there are two or more, all legal. */
  abstract choose(table: Table, actions: readonly Action[]): Action | Promise<Action>;

  /** Called once, before the bot says that it is ready: the place to load what takes long. */
  warmUp(): void | Promise<void> {}

  /** A match began; after a broken stream, possibly one that was known before. */
  tableStarted(_table: Table): void {}

  /** A deal is over; `table.deal` still shows it, `table.finished` has its points. */
  dealEnded(_table: Table): void {}

  /** A match is over: drop what you keep of it. */
  tableEnded(_table: Table): void {}
}
