/** Runs inline in every head, allowed by its hash: the chosen theme before the first paint, the class `js`, and `member` where somebody has signed in. */
export const themeScript =
  "document.documentElement.classList.add('js');try{if(localStorage.getItem('account'))document.documentElement.classList.add('member');const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"

/** Runs inline with the large map, allowed by its hash: records clicks, changes and submits until the map's script handles them (`map/page/home.ts`). */
export const earlyScript =
  "window.early=[];for(const t of['click','change','reset','submit'])addEventListener(t,e=>{if(!window.early)return;if(t==='submit')e.preventDefault();early.push(e)},true)"

/** Runs inline in the header, allowed by its hash: shows the user who signed in on this browser, a hint that proves nothing, before the first paint. */
export const headerScript =
  "try{const n=localStorage.getItem('account'),a=document.getElementById('account-link');if(n&&a){const t=a.querySelector('bdi');a.href=a.dataset.account;a.dataset.page='account/';t.textContent=n;delete t.dataset.t;a.querySelector('[hidden]').hidden=false;for(const l of document.querySelectorAll('[data-of]'))l.hidden=!localStorage.getItem('account-'+l.dataset.of)}}catch{}"

/** Runs inline in the head of pages in one language, allowed by its hash: hides the content until it is translated. */
export const relabelScript =
  "try{const{lang,classList:c,dataset:d}=document.documentElement,all=d.languages.split(' ');if(([localStorage.language||[],navigator.languages].flat().map(n=>all.find(t=>(n+'-').startsWith(t+'-'))).find(t=>t)||all[0])!=lang)c.add('waits')}catch{}"

/** Runs inline on the pages of the map and of signing in, allowed by its hash: a first visit is in the browser's language. */
export const languageScript =
  "try{const{lang,dataset:{base,languages}}=document.documentElement,all=languages.split(' ');if(location.pathname.startsWith(base))for(const one of[localStorage.getItem('language')||[],navigator.languages].flat()){const found=all.find(tag=>tag===one)||all.find(tag=>one.startsWith(tag+'-'));if(!found)continue;if(found!==lang)location.replace(base+found+'/'+location.pathname.slice(base.length)+location.search+location.hash);break}}catch{}"
