import type { Map as MapLibreMap } from 'maplibre-gl'
import { pauses, taskMilliseconds } from '../page/loading.ts'

const pollMilliseconds = 16
const timeoutMilliseconds = 4000

/** Resolves when the GPU has drawn the canvas, which would block the page until then, long on slow GPUs. */
export async function painted(canvas: HTMLCanvasElement): Promise<void> {
  const context = canvas.getContext('webgl2')
  const fence = context?.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0)
  if (!context || !fence) return
  context.flush()
  const until = performance.now() + timeoutMilliseconds
  while (performance.now() < until && !context.isContextLost()) {
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
    if (context.getSyncParameter(fence, context.SYNC_STATUS) === context.SIGNALED) break
  }
  context.deleteSync(fence)
}

/** How long the first picture waits for its tiles, in milliseconds; those that are later are drawn when they come. */
const patience = 3000

/** Keeps a hidden map from drawing until its first view is there; then it draws some layers at a time, whose programs the GPU compiles. @returns begins, and resolves after the first whole picture */
export function drawOnce(map: MapLibreMap): () => Promise<unknown> {
  const { painter } = map
  const draw = painter.render.bind(painter)
  const drawLayer = painter.renderLayer.bind(painter)
  const drawn = new Set<string>()
  const whole = Promise.withResolvers<void>()
  let latest: number | undefined
  painter.render = (...about) => {
    if (latest === undefined || (performance.now() < latest && !map.loaded())) return
    const until = performance.now() + taskMilliseconds
    let isWhole = true
    // The first picture has none: its tiles are copied to the GPU.
    let isFull = drawn.size === 0
    painter.renderLayer = (...how) => {
      const name = `${how[4].currentPass} ${how[2].id}`
      if (drawn.has(name)) return
      isWhole = false
      if (isFull) return
      drawn.add(name)
      drawLayer(...how)
      isFull = performance.now() > until
    }
    draw(...about)
    drawn.add('')
    map.repaint = !isWhole
    if (!isWhole) return
    Object.assign(painter, { render: draw, renderLayer: drawLayer })
    draw(...about)
    whole.resolve()
  }
  return () => {
    latest = performance.now() + patience
    map.triggerRepaint()
    setTimeout(() => map.triggerRepaint(), patience)
    return whole.promise
  }
}

/** Draws the glyphs of labels one after the other, and ends the task in between. */
export function drawGlyphsApart({ style: { glyphManager } }: MapLibreMap): void {
  const draw = glyphManager._drawGlyph.bind(glyphManager)
  const pause = pauses()
  let last: Promise<unknown> = Promise.resolve()
  glyphManager._drawGlyph = (...glyph) => {
    const next = last.then(pause).then(() => draw(...glyph))
    last = next.catch(() => undefined)
    return next
  }
}
