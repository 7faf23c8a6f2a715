export const sources = {
  tiles: 'fountain-tiles',
  /** Fountains clustered here: those newer than the tiles, or, without the tiles, those of the cells in view. */
  points: 'fountain-points',
  /** Fountains with unsent changes of the visitor. */
  waiting: 'waiting',
  areas: 'areas',
  route: 'route',
  places: 'places',
  selected: 'selected',
  me: 'me',
} as const
