/** What the map uses of MapLibre: the exports of the ready-made engine. */
export { addProtocol, AttributionControl, Map, ScaleControl, setWorkerUrl } from 'maplibre-gl'
