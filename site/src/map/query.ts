/** The part of the map's address with a place, as the map's script reads it. */
export function mapQuery(
  { latitude, longitude, zoom }: { latitude: number; longitude: number; zoom: number },
  waypointId?: number,
): string {
  const at = `${Number(latitude.toFixed(5))},${Number(longitude.toFixed(5))},${zoom}`
  return `?at=${at}${waypointId === undefined ? '' : `&fountain=${waypointId}`}`
}
