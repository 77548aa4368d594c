/** Items that hold nothing to remember, or that come again in another form. */
const ITEMS = new Set(['agent_message', 'image_generation_call', 'ghost_snapshot', 'compaction', 'other']);

/** Events of the terminal that hold nothing to remember, or that items hold, too: codex-rs/protocol, and what files had. */
const EVENTS = new Set([
  'account/rateLimits/updated',
  'agent_message_delta',
  'agent_reasoning',
  'agent_reasoning_delta',
  'agent_reasoning_raw_content',
  'agent_reasoning_section_break',
  'background_event',
  'context_compacted',
  'deprecation_notice',
  'entered_review_mode',
  'error',
  'exited_review_mode',
  'get_history_entry_response',
  'item_started',
  'model_reroute',
  'plan_delta',
  'plan_update',
  'raw_response_item',
  'codex/event/raw_item',
  'request_permissions',
  'request_user_input',
  'session_configured',
  'shutdown_complete',
  'skills_update_available',
  'stream_error',
  'sub_agent_activity',
  'task_complete',
  'task_started',
  'thread_goal_updated',
  'thread_rolled_back',
  'thread_settings_applied',
  'token_count',
  'turn.completed',
  'turn_complete',
  'turn_diff',
  'turn_started',
  'undo_completed',
  'undo_started',
  'view_image_tool_call',
  'warning',
]);
/** What begins and ends around calls, questions of the client, and its other agents. */
const AROUND =
  /^(?:exec_command|mcp|web_search|patch_apply|image_generation|collab|guardian|dynamic_tool_call|hook|realtime_conversation|list)_|_(?:approval|elicitation)_request$|^elicitation_request$/;

export function isQuietItem(type: string): boolean {
  return ITEMS.has(type);
}

export function isQuietEvent(type: string): boolean {
  return EVENTS.has(type) || AROUND.test(type);
}
