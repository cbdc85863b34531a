import { html } from '../screen/html.ts';
import type { Shown } from '../screen/page.ts';

/** @param why the reason why the last attempt failed; null: there was no attempt */
export function logInPage(why: string | null, to: string): Shown {
  return {
    title: 'Log in',
    body: html`<div class="login card"><h1>Log in</h1>
${why === null ? null : html`<p class="notice" role="alert">${why}</p>`}
<form class="stack" method="post" action="login">
<input type="hidden" name="to" value="${to}">
<label>Name <input name="name" autocomplete="username" maxlength="100" autocapitalize="none"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" maxlength="500"></label>
<p class="soft">Without a name, the password is a token of the admin API.</p>
<button>Log in</button>
</form></div>`,
  };
}

/** A page that leads on to the next one. After a link from another site, a browser holds back the cookie of the session. */
export function onwardPage(to: string): Shown {
  return {
    title: 'One moment',
    body: html`<p>One moment. If nothing happens, <a href="${to}">go on</a>.</p>`,
  };
}
