/**
 * Runs inline in the page with the large map, allowed by its hash: records clicks, changes and submits until the
 * map's script has loaded and handles them (see `map/page/home.ts`). Without it taps on a slow network would be lost, and the
 * search would be sent to a server.
 */
export const earlyScript =
  "window.early=[];for(const t of['click','change','reset','submit'])addEventListener(t,e=>{if(!window.early)return;if(t==='submit')e.preventDefault();early.push(e)},true)"
