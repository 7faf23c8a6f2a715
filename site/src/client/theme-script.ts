/**
 * Runs inline in the head of every page, allowed by its hash: takes the visitor's choice of colours before the
 * first paint, so that a dark page never flashes white. Without a choice the system's preference holds.
 */
export const themeScript =
  "try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"
