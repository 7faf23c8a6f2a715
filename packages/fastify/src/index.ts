export { fountains, type FountainsOptions } from './fountains.ts'
