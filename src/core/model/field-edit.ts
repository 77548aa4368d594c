import { z } from 'zod';
import { stampFields } from './record-stamp.ts';
import { isSettingPath } from './setting-path.ts';

/** What the user set: the project's name, a session's name, a setting. The last one of a key counts. */
export const fieldEditSchema = z
  .object({
    editId: z.string(),
    at: z.string(),
    ...stampFields,
    field: z.enum(['project', 'session', 'setting']),
    /** The session's id or the setting's key; of the project's name it is empty. */
    key: z.string().max(200),
    /** Absent: it was unset. */
    value: z.unknown().optional(),
  })
  .refine(({ field, key, value }) => {
    if (field === 'setting') return isSettingPath(key);
    return (
      value === undefined || (typeof value === 'string' && value.length <= 200 && !/\p{Cc}/u.test(value))
    );
  }, 'not a name or setting');
export type FieldEdit = z.infer<typeof fieldEditSchema>;
