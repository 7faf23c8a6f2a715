/**
 * Runs inline in the header, allowed by its hash. Before the first paint and without a request it shows the name of the
 * user who signed in on this browser, and the link to the desk for moderators.
 *
 * It is a hint and proves nothing; the account page asks the server.
 */
export const headerScript =
  "try{const n=localStorage.getItem('account'),a=document.getElementById('account-link');if(n&&a){const t=a.querySelector('bdi');a.href=a.dataset.account;a.dataset.page='account/';t.textContent=n;delete t.dataset.t;a.querySelector('[hidden]').hidden=false;if(localStorage.getItem('account-moderator'))for(const l of document.querySelectorAll('[data-desk]'))l.hidden=false}}catch{}"
