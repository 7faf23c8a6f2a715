import type { Map as MapLibreMap } from 'maplibre-gl'

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

/** Draws the first view when all of it is there: until then the map is hidden, and each part that comes would draw it again. */
export function drawOnce(map: MapLibreMap): void {
  const { painter } = map
  const draw = painter.render.bind(painter)
  painter.render = (...about) => {
    if (map.loaded()) draw(...about)
  }
  void map.once('idle').then(() => (painter.render = draw))
}
