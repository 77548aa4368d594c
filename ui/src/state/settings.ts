import { reactive } from 'vue';
import { callApi } from '../api/call-api.ts';

/** The settings that the page itself obeys, as they are by default. */
export const pageSettings = reactive({
  defaultView: 'timeline' as 'timeline' | 'list',
  showTokenEstimates: true,
  confirmDestructiveActions: true,
});

/** Reads them from the archive; called at the start, and after one was changed. */
export async function loadPageSettings(): Promise<void> {
  const { items } = await callApi('get /api/memory/config');
  for (const { key, value } of items) {
    if (key === 'ui.defaultView' && (value === 'timeline' || value === 'list'))
      pageSettings.defaultView = value;
    if (key === 'ui.showTokenEstimates') pageSettings.showTokenEstimates = value === true;
    if (key === 'ui.confirmDestructiveActions') pageSettings.confirmDestructiveActions = value === true;
  }
}
