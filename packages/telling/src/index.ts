export { Deliveries, deliver, type DeliveriesOptions } from './deliveries.ts'
export { keyBeside, registryKey } from './key.ts'
export { Sender, type Answer, type Message, type SenderOptions } from './sending.ts'
