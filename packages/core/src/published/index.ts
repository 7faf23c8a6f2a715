/** How waypoints are written in files, for programs of any kind, browsers included. */
export { csvField, csvValue, joinList, neutraliseCell, restoreCell, splitList } from './cells.ts'
export { passedText } from './along.ts'
export { featureCollection } from './waypoint-columns.ts'
