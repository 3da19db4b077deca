// Puts the protocol beside the compiled bot, which reads it at start: a bot is run with its build folder at hand.
import { copyFileSync } from "node:fs";

copyFileSync("proto/king/v1/arena.proto", "build/arena.proto");
