import '#engine/worker'

/** Address of MapLibre's worker: the chunk of this module has all that the worker shares with the page, and nothing else. */
export const workerUrl = import.meta.url
