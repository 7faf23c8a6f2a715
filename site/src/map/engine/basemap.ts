/**
 * The tiles of the bundled base map: for each zoom one digit per tile, row by row from the north-west. 0 is water, 1 is
 * land (`land.mvt`), 2 has a file `ZOOM-X-Y.mvt`.
 */
export interface BaseMapIndex {
  readonly zooms: readonly string[]
}

/** The file of a tile; undefined when it is all water or outside the map. */
export function baseTileFile(index: BaseMapIndex, zoom: number, x: number, y: number): string | undefined {
  const side = 2 ** zoom
  if (x < 0 || y < 0 || x >= side || y >= side) return undefined
  switch (index.zooms[zoom]?.[y * side + x]) {
    case '1':
      return 'land.mvt'
    case '2':
      return `${zoom}-${x}-${y}.mvt`
    default:
      return undefined
  }
}

/** The deepest zoom with tiles; deeper ones are magnified. */
export const baseMaxZoom = 6

/** The tiles of the bundled base map, unzipped. */
export class BaseMap {
  readonly #folder: string
  readonly #query: string
  readonly #index: Promise<BaseMapIndex>

  /** `folder` ends with a slash; `query` is appended to every address, as a version for caches. */
  constructor(folder: string, query: string) {
    this.#folder = folder
    this.#query = query
    this.#index = this.#fetch('index.json').then((response) => response.json() as Promise<BaseMapIndex>)
    this.#index.catch(() => undefined)
  }

  /** A tile as vector tile bytes, empty for water. @throws when the file cannot be read. */
  async tile(zoom: number, x: number, y: number): Promise<ArrayBuffer> {
    const file = baseTileFile(await this.#index, zoom, x, y)
    if (file === undefined) return new ArrayBuffer(0)
    return unzip(await (await this.#fetch(file)).arrayBuffer())
  }

  async #fetch(file: string): Promise<Response> {
    const response = await fetch(`${this.#folder}${file}${this.#query}`)
    if (!response.ok) throw new Error(`${file} of the base map returned ${response.status}`)
    return response
  }
}

/** Some hosts send the file unzipped, so the first two bytes decide. */
async function unzip(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  if (first !== 0x1f || second !== 0x8b) return bytes
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).arrayBuffer()
}
