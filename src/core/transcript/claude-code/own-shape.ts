import { isObject, type JsonObject } from '../parse-line.ts';
import { isKnownType } from './line-test.ts';

/**
 * Whether a line is one that Claude Code writes. Other agents borrow its names (`type`, `uuid`, `sessionId`, `message`),
 * so each type must have what Claude Code gives it.
 */
export function isClaudeCodeObject(object: JsonObject): boolean {
  const type = typeof object.type === 'string' ? object.type : '';
  // Qwen Code copies the envelope of Claude Code; these fields are its own.
  if ('systemPayload' in object || hasParts(object.message)) return false;
  switch (type) {
    case 'user':
    case 'assistant':
      return isMessage(object.message, type) && (isText(object.uuid) || isText(object.sessionId));
    case 'summary':
      return isText(object.summary) && (isText(object.leafUuid) || isText(object.sessionId));
    case 'file-history-snapshot':
      return isText(object.messageId) || isObject(object.snapshot);
    case 'queue-operation':
      return isText(object.operation);
    case 'attachment':
      return isObject(object.attachment) && isText(object.uuid);
    case 'progress':
      return isObject(object.data) && isText(object.uuid);
    case 'system':
      return isText(object.uuid) && isText(object.sessionId) && isText(object.timestamp);
    default:
      // A type of a later version: by the envelope that all of its conversation lines have.
      return isText(object.sessionId) && (isKnownType(type) || hasEnvelope(object));
  }
}

function isMessage(message: unknown, role: string): boolean {
  if (!isObject(message) || (message.role !== undefined && message.role !== role)) return false;
  return typeof message.content === 'string' || Array.isArray(message.content);
}

function hasParts(message: unknown): boolean {
  return isObject(message) && 'parts' in message;
}

function hasEnvelope(object: JsonObject): boolean {
  return typeof object.isSidechain === 'boolean' && isText(object.uuid) && isText(object.timestamp);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
