import { z } from 'zod';
import { isProjectId, isSessionId } from './ids.ts';

/** An id as every stored record and every bundle contains it: checked once, when it is read. */
export const projectIdSchema = z
  .string()
  .refine(isProjectId, { message: 'not a project id' })
  .brand<'ProjectId'>();

export const sessionIdSchema = z
  .string()
  .refine(isSessionId, { message: 'not a session id' })
  .brand<'SessionId'>();
