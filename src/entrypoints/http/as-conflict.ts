import { withoutUndefined } from '../../app/without-undefined.ts';
import { Fault } from '../../core/model/fault.ts';

/** Whoever asks can name another model, or set one up: it is not an error of the server. */
export function asConflict(error: unknown): never {
  if (!(error instanceof Fault) || error.code !== 'config') throw error;
  throw new Fault('conflict', error.message, { ...withoutUndefined({ hint: error.hint }), cause: error });
}
