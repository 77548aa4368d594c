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
app.use(router).mount('#app');
