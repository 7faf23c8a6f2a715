import type { MapConfig } from '../data/config.ts'

/** Reads JSON files of a folder of this site, in the page's version. */
export function jsonReader(
  config: Pick<MapConfig, 'base' | 'version'>,
  folder: string,
): (name: string) => Promise<unknown> {
  return async (name) => {
    const response = await fetch(`${config.base}${folder}${name}?v=${encodeURIComponent(config.version)}`)
    if (!response.ok) throw new Error(`${folder}${name} returned ${response.status}`)
    return response.json()
  }
}

/** Resolves after the page's first paint, so that later work does not delay it. */
export function afterFirstPaint(): Promise<void> {
  return new Promise((resolve) => {
    const resolveAfterPaint = () => requestAnimationFrame(() => setTimeout(resolve, 0))
    if (document.readyState === 'complete') resolveAfterPaint()
    else addEventListener('load', resolveAfterPaint, { once: true })
  })
}

/** Ends a task, so that the browser can answer the visitor before the next part of long work. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Longest part of work between two pauses; a phone takes four times as long, and a press shall not wait longer than 50. */
export const taskMilliseconds = 8

/** Ends the task when the work since the last call or pause has been long. */
export function pauses(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < taskMilliseconds) return
    await nextTask()
    began = performance.now()
  }
}
