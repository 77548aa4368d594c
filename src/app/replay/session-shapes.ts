import { fields, figure, flag, list, oneOf, type Shape, text } from '../../core/model/shape.ts';
import type { SessionMoments } from '../../core/replay/moment.ts';
import type { ReplayedInjection } from '../../core/replay/replay-case.ts';

const MOMENT = { exchange: text, src: figure, ts: text };
const FAILURE = { ...MOMENT, command: text, error: text, form: text };

/** What a replay stores of a session, field by field: a damaged file is rebuilt. */
export const momentsShape: Shape<SessionMoments> = fields({
  prompts: list(fields({ ...MOMENT, text })),
  instructions: list(fields({ ...MOMENT, text, message: text })),
  failures: list(fields(FAILURE)),
  fixes: list(fields({ ...FAILURE, worked: text, workedAt: fields(MOMENT) })),
  files: list(fields({ ...MOMENT, file: text, changed: flag, searches: list(text), opened: fields(MOMENT) })),
  answers: list(fields({ ...MOMENT, question: text, answer: text })),
});

const ON = oneOf('start', 'prompt');
export const injectionsShape: Shape<ReplayedInjection[]> = list(
  fields(
    {
      on: ON,
      src: figure,
      ts: text,
      text,
      tokens: figure,
      offer: flag,
      sources: list(fields({ session: text }, { exchange: text, id: text })),
      used: list(text),
      echo: figure,
    },
    { startLines: fields({ shown: figure, touched: figure }) },
  ),
) as Shape<ReplayedInjection[]>;
