/**
 * Runs inline in the head of every page, allowed by its hash. It applies the visitor's choice of theme before the first
 * paint, so that a dark page never flashes white; without a choice the system's preference applies. It also marks the
 * page with the class `js`, for parts that need scripts.
 */
export const themeScript =
  "document.documentElement.classList.add('js');try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"
