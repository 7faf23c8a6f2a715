/** Names of the map's permanent sources. */
export const sources = {
  /** Fountains in clustered tiles. */
  tiles: 'fountain-tiles',
  /** Fountains of the cells in view, clustered here; used with filters and where there are no tiles. */
  cells: 'fountain-cells',
  /** Fountains newer than the tiles, clustered here; drawn with the tiles. */
  live: 'fountain-live',
  /** Fountains with unsent changes of the visitor. */
  waiting: 'waiting',
  areas: 'areas',
  places: 'places',
  selected: 'selected',
  me: 'me',
} as const
