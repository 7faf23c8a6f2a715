export { Deliveries, deliver, type DeliveriesOptions } from './deliveries.ts'
export { keyBeside, registryKey, Sender, type Answer, type Message, type SenderOptions } from './sending.ts'
