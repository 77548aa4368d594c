import fc from 'fast-check';
import type { KeptContent, Turn } from '../../src/core/compress/turn.ts';
import type { L1Line } from '../../src/core/model/l1.ts';
import type { CompressSettings } from '../../src/core/model/version.ts';

type Said = Partial<L1Line> & Pick<L1Line, 'role'> & { detail?: Turn['detail']; abandoned?: boolean };

/** Turns from lines of L1: an ask that is not queued opens an exchange. */
export function turnsFrom(lines: Said[]): Turn[] {
  let exchange = 0;
  return lines.map(({ detail, abandoned = false, ...line }, index) => {
    if (line.role === 'user' && !line.queued && !line.reply) exchange++;
    const minute = String(index % 60).padStart(2, '0');
    const ts = `2026-03-0${1 + (Math.floor(index / 600) % 9)}T1${Math.floor(index / 60) % 10}:${minute}:00Z`;
    return {
      line: { ts, src: index * 100, ...line },
      at: index + 1,
      exchange: `ex_${exchange}`,
      abandoned,
      ...(detail ? { detail } : {}),
    };
  });
}

export function settingsOf(rest: Partial<CompressSettings> = {}): CompressSettings {
  return {
    mode: 'uniform',
    model: 'extractive',
    skipFirstMessages: 0,
    keepitMode: 'decay',
    sessionDistance: 0,
    telegraphic: false,
    decay: {
      compressionBase: { light: 0.1, moderate: 0.3, aggressive: 0.5 },
      maxSessionDistance: 10,
      pinnedWeight: 1,
    },
    weights: {},
    ...rest,
  };
}

const sentence = fc
  .tuple(
    fc.constantFrom(
      'The parser',
      'We',
      'Das Modul',
      'src/core/parse.ts',
      '`readLine`',
      'It',
      'Version 1.2.3',
    ),
    fc.constantFrom('drops', 'must never keep', 'reads, e.g. twice,', 'läuft nicht ohne', 'returns'),
    fc.constantFrom(
      'the last line',
      'z. B. Umlaute',
      'a token of 4,096 bytes',
      'node_modules',
      '行を読みます',
    ),
    fc.nat(40),
    fc.constantFrom('.', '!', '?', '。', ''),
  )
  .map(([who, does, what, number, stop]) => `${who} ${does} ${what} ${number}${stop}`);

const block = fc.oneof(
  { weight: 4, arbitrary: fc.array(sentence, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')) },
  fc.array(sentence, { minLength: 1, maxLength: 3 }).map((all) => all.map((item) => `- ${item}`).join('\n')),
  fc.array(sentence, { maxLength: 3 }).map((all) => `\`\`\`ts\n${all.join('\n')}\n\`\`\``),
  fc.constantFrom(
    '## Heading',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '##keepit0.40## maybe',
    '```\nunclosed',
    '<!-- open',
    '🎉 done',
  ),
);

const message = fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => blocks.join('\n\n'));

const tool: fc.Arbitrary<Said> = fc
  .tuple(
    fc.constantFrom('Bash', 'Read', 'Edit', 'Write', 'mcp__x__y'),
    fc.array(sentence, { maxLength: 30 }),
    fc.option(fc.constantFrom('Exit code 1\nFAIL a.test.ts', 'none', 'refused by the user: no'), {
      nil: undefined,
    }),
  )
  .map(([name, output, result]) => ({
    role: 'tool',
    name,
    target: name === 'Bash' ? 'npm test' : 'src/a.ts',
    ...(result === undefined ? {} : { result }),
    detail: {
      input: name === 'Edit' ? { old_string: 'const a = 1;', new_string: output.join('\n') } : {},
      output: output.join('\n'),
      isError: result !== undefined,
    },
  }));

const said: fc.Arbitrary<Said> = fc
  .tuple(fc.constantFrom<'user' | 'assistant'>('user', 'assistant'), message, fc.boolean())
  .map(([role, text, abandoned]) => ({ role, text, abandoned }));

/** Content with everything that could break a layout. */
const oddContent = fc.constantFrom(
  'Never use tabs.',
  '  \tindented\r\n\r\nwith CRLF\r\n',
  '```sh\nrm -rf build',
  '## a heading\n\n- and a list\n',
  '> quoted\n<!-- never closed',
  '~~~\n```\n~~~~',
  'Ends with a fence\n```',
  '…',
);

export type MadeSession = { turns: Turn[]; kept: KeptContent[] };

/** A session, and markers on stretches of its messages or on words that stand nowhere in it. */
export const madeSession: fc.Arbitrary<MadeSession> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: said }, tool), { minLength: 1, maxLength: 25 }),
    fc.array(
      fc.record({
        turn: fc.nat(24),
        from: fc.nat(60),
        length: fc.integer({ min: 1, max: 80 }),
        odd: fc.option(oddContent, { nil: undefined }),
        place: fc.boolean(),
        weight: fc.constantFrom(0.2, 0.6, 0.8, 1),
      }),
      { maxLength: 6 },
    ),
  )
  .map(([lines, marks]) => {
    const placed = marks.map((mark) => ({ ...mark, turn: mark.turn % lines.length }));
    const own = lines.map((line) => ({ ...line }));
    for (const { turn, odd, place } of placed) {
      const line = own[turn]!;
      if (odd !== undefined && place && line.text !== undefined) line.text = `${line.text}\n\n${odd}`;
    }
    const turns = turnsFrom(own);
    const kept = placed.flatMap(({ turn, from, length, odd, weight }, index): KeptContent[] => {
      const { src, text } = turns[turn]!.line;
      const content = odd ?? (text ?? '').slice(from, from + length).toWellFormed();
      return content === '' ? [] : [{ markerId: `km_${index}`, src, content, weight }];
    });
    return { turns, kept };
  });
