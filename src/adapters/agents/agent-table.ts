import type { Agent } from '../../core/model/agent.ts';
import type { AgentFinder } from './agent-finder.ts';
import { aiderFiles } from './aider-files.ts';
import { ampFiles } from './amp-files.ts';
import { antigravityFiles } from './antigravity-files.ts';
import { claudeExportFiles } from './claude-export-files.ts';
import { claudeMemFiles } from './claude-mem-files.ts';
import { clineFiles, rooFiles } from './cline-files.ts';
import { codexFiles } from './codex-files.ts';
import { copilotFiles } from './copilot-files.ts';
import { cursorFiles } from './cursor-files.ts';
import { droidFiles } from './droid-files.ts';
import { geminiFiles } from './gemini-files.ts';
import { grokFiles } from './grok-files.ts';
import { hermesFiles } from './hermes-files.ts';
import { kimiFiles } from './kimi-files.ts';
import { memoryFileFiles } from './memory-file-files.ts';
import { opencodeFiles } from './opencode-files.ts';
import { piFiles } from './pi-files.ts';
import { qwenFiles } from './qwen-files.ts';
import { specstoryFiles } from './specstory-files.ts';
import { vscodeFiles } from './vscode-files.ts';

/** How each agent's sessions are found; Claude Code's are found by what finds lines anywhere. */
export const AGENT_FILES: Record<Exclude<Agent, 'claude-code' | 'generic' | 'talk'>, AgentFinder> = {
  codex: codexFiles,
  gemini: geminiFiles,
  opencode: opencodeFiles,
  cursor: cursorFiles,
  copilot: copilotFiles,
  'vscode-copilot': vscodeFiles,
  qwen: qwenFiles,
  pi: piFiles,
  cline: clineFiles,
  specstory: specstoryFiles,
  droid: droidFiles,
  'claude-export': claudeExportFiles,
  grok: grokFiles,
  hermes: hermesFiles,
  antigravity: antigravityFiles,
  amp: ampFiles,
  aider: aiderFiles,
  'claude-mem': claudeMemFiles,
  'memory-files': memoryFileFiles,
  kimi: kimiFiles,
  roo: rooFiles,
};
