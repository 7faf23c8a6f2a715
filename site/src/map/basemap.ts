/**
 * Which tiles of the bundled base map there are: for each zoom one digit a tile, row by row from the north-west.
 * 0 is water, 1 is land, 2 has a file `ZOOM-X-Y.mvt`.
 */
export interface BaseMapIndex {
  readonly zooms: readonly string[]
}
