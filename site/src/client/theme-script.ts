/**
 * Runs inline in the head of every page, allowed by its hash: applies the visitor's choice of theme before the
 * first paint, so that a dark page never flashes white. Without a choice the system's preference applies. Also
 * marks the page as one with scripts, so that what only works with them is shown.
 */
export const themeScript =
  "document.documentElement.classList.add('js');try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"
