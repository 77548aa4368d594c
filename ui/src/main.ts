import './api/page-key.ts';
import './styles.css';
import { createApp } from 'vue';
import App from './App.vue';
import { isHub } from './api/hub-place.ts';
import { router } from './router.ts';
import { startTheme } from './state/theme.ts';
import { reportProblem } from './state/toasts.ts';

startTheme();
// What changes something is not offered there: see styles.css.
if (isHub) document.documentElement.classList.add('on-hub');
const app = createApp(App);
app.config.errorHandler = (error) => {
  console.error(error);
  reportProblem(error);
};
// A view whose script can't be had says so; the view before it stays.
router.onError((error) => reportProblem(error));
app.use(router);
// The view's script is asked for first: it comes while the frame around it is made.
setTimeout(() => app.mount('#app'));
