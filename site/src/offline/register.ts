import type { MapPage } from '../map/map-page.ts'
export function registerWorker(_page: MapPage): void {}
