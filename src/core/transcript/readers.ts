import type { Agent } from '../model/agent.ts';
import type { AgentReader } from './agent-reader.ts';
import { aiderReader } from './aider/read-object.ts';
import { ampReader } from './amp/read-object.ts';
import { antigravityReader } from './antigravity/read-object.ts';
import { isClaudeCodeObject } from './claude-code/own-shape.ts';
import { readClaudeCodeObject } from './claude-code/read-object.ts';
import { claudeExportReader } from './claude-export/read-object.ts';
import { claudeMemReader } from './claude-mem/read-object.ts';
import { clineReader, rooReader } from './cline/read-object.ts';
import { isCodexObject, readCodexObject } from './codex/read-object.ts';
import { copilotReader } from './copilot/read-object.ts';
import { cursorReader } from './cursor/read-object.ts';
import { droidReader } from './droid/read-object.ts';
import { isGeminiObject, readGeminiObject } from './gemini/read-object.ts';
import { isGenericObject, readGenericObject } from './generic/read-object.ts';
import { grokReader } from './grok/read-object.ts';
import { hermesReader } from './hermes/read-object.ts';
import { kimiReader } from './kimi/read-object.ts';
import { memoryFileReader } from './memory-files/read-object.ts';
import { isOpenCodeObject, readOpenCodeObject } from './opencode/read-object.ts';
import { piReader } from './pi/read-object.ts';
import { qwenReader } from './qwen/read-object.ts';
import { specstoryReader } from './specstory/read-object.ts';
import { talkReader } from './talk/read-object.ts';
import { vscodeReader } from './vscode-copilot/read-object.ts';

/** How each agent's lines are known and read. The first that knows a line is taken; Claude Code's envelope is borrowed by others. */
export const AGENT_READERS: Record<Agent, AgentReader> = {
  talk: talkReader,
  codex: { is: isCodexObject, read: readCodexObject },
  opencode: { is: isOpenCodeObject, read: readOpenCodeObject },
  cline: clineReader,
  roo: rooReader,
  'vscode-copilot': vscodeReader,
  specstory: specstoryReader,
  'claude-export': claudeExportReader,
  grok: grokReader,
  hermes: hermesReader,
  antigravity: antigravityReader,
  amp: ampReader,
  aider: aiderReader,
  'claude-mem': claudeMemReader,
  'memory-files': memoryFileReader,
  kimi: kimiReader,
  copilot: copilotReader,
  pi: piReader,
  droid: droidReader,
  qwen: qwenReader,
  cursor: cursorReader,
  gemini: { is: isGeminiObject, read: readGeminiObject },
  generic: { is: isGenericObject, read: readGenericObject },
  'claude-code': { is: isClaudeCodeObject, read: readClaudeCodeObject },
};
