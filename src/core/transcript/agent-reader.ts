import type { ByteRange } from '../model/entry.ts';
import type { ReadObject } from '../model/read-object.ts';
import type { JsonObject } from './parse-line.ts';

/** How the lines of an agent's sessions are known and read. */
export type AgentReader = {
  /** Whether an object is one that this agent writes, and no other does. */
  is: (object: JsonObject) => boolean;
  read: (object: JsonObject, src: ByteRange) => ReadObject | ReadObject[];
};
