const pollMilliseconds = 16
const timeoutMilliseconds = 4000

/**
 * Resolves when the GPU has finished drawing the canvas. Showing the canvas earlier would block the page until then,
 * which takes long on slow GPUs.
 */
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
