/**
 * Runs inline in the header, allowed by its hash: shows the name of whoever signed in on this browser, and to moderators
 * the way to their desk, before the first paint and without a request. It is a reminder and proves nothing; the page of the
 * account asks the server. Where somebody signed in, or something waits to be sent, it loads the outbox.
 */
export const headerScript =
  "try{const n=localStorage.getItem('account'),a=document.getElementById('account-link');if(n&&a){const t=a.querySelector('bdi');a.href=a.dataset.account;a.dataset.page='account/';t.textContent=n;delete t.dataset.t;a.querySelector('[hidden]').hidden=false;if(localStorage.getItem('account-moderator'))for(const l of document.querySelectorAll('[data-desk]'))l.hidden=false}if(a&&(n||localStorage.getItem('outbox')))import(a.dataset.outbox).catch(()=>{})}catch{}"
