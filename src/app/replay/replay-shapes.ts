import { fields, figure, list, oneOf, projectId, type Shape, text, where } from '../../core/model/shape.ts';
import type { ReplayFigures } from '../../core/replay/figures.ts';
import { BAD_CASES, GOOD_CASES, type ReplayCase } from '../../core/replay/replay-case.ts';
import type { ReplayReport } from './replay.ts';
import type { ReplayRequest } from './replayed-projects.ts';

const ON = oneOf('start', 'prompt', 'action');
const came = fields({ found: figure, said: figure });
const figures: Shape<ReplayFigures> = fields({
  sessions: figure,
  prompts: figure,
  starts: figure,
  startLines: fields({ shown: figure, touched: figure }),
  passages: figure,
  offers: figure,
  tokens: figure,
  texts: figure,
  used: figure,
  instructions: came,
  errors: came,
  decisions: came,
  noted: figure,
  searched: came,
  files: fields({ changedAgain: figure, named: figure, ofLast: figure }),
  contradicted: figure,
  offPoint: fields({ starts: figure, passages: figure, offers: figure }),
});
const place = fields({ project: text, session: text, exchange: text, src: figure, ts: text, text });
const to = fields({ project: text, session: text, ts: text });
const cases = list(
  fields(
    {
      id: text,
      kind: oneOf(...GOOD_CASES, ...BAD_CASES),
      title: text,
      before: place,
      again: place,
      value: figure,
    },
    { said: fields({ on: ON, text }, { to, offer: oneOf(true) }), noted: text },
  ),
) as Shape<ReplayCase[]>;
const day = where((it): it is string | null => it === null || typeof it === 'string', 'a time or null');

export const reportShape: Shape<ReplayReport> = fields({
  first: day,
  last: day,
  figures,
  projects: list(fields({ projectId, name: text, figures })),
  best: cases,
  unsaid: cases,
  worst: cases,
  cases,
});
export const requestShape = fields({}, { project: text, since: text }) as Shape<ReplayRequest>;
