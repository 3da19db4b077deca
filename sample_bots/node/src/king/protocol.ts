/** The generated side of the protocol: loads arena.proto and makes the client of its service. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ProtoGrpcType } from "#types/arena.js";
import type { ArenaServiceClient } from "#types/king/v1/ArenaService.js";

// The build puts it into the folder above the compiled sources.
const PROTO = fileURLToPath(new URL("../../arena.proto", import.meta.url));

const TLS = "tls://";

/** The protocol's messages and services. The options are those with which `npm run types` made the types. */
export function loadProtocol(): ProtoGrpcType {
  const definition = loadSync(PROTO, {
    longs: String,
    enums: String,
    defaults: true,
    arrays: true,
    oneofs: true,
  });
  return grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType;
}

/** A client of the referee at "host:port", "tls://host:port" or "unix:/path". Nothing is dialled before the first call. */
export function clientOf(address: string): ArenaServiceClient {
  const { ArenaService } = PROTOCOL.king.v1;
  const encrypted = address.startsWith(TLS);
  const credentials = encrypted ? grpc.credentials.createSsl(roots()) : grpc.credentials.createInsecure();
  return new ArenaService(encrypted ? address.slice(TLS.length) : address, credentials, {
    "grpc.enable_http_proxy": 0,
    "grpc.max_receive_message_length": -1,
    "grpc.use_local_subchannel_pool": 1, // dialling again means dialling, not waiting for an older attempt
  });
}

/** The authorities to believe, from the PEM file that KING_TLS_ROOTS names; null stands for the public ones. */
function roots(): Buffer | null {
  const { KING_TLS_ROOTS: path } = process.env;
  return path ? readFileSync(path) : null;
}

const PROTOCOL = loadProtocol();
