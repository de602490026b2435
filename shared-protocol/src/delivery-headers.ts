const text = (description: string) => ({ type: 'string', description }) as const

const headers = {
  'X-Service-Signature': text(
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the secret of the webhook.',
  ),
  'X-Service-Event-Id': text('The `id` of the event; the same at every attempt.'),
  'X-Service-Event-Type': text('The `type` of the event.'),
  'X-Service-Delivery-Id': text('The id of this delivery, as the log of the webhook has it.'),
  'X-Service-Delivery-Attempt': text('1 for the first attempt.'),
  'webhook-id': text('Standard Webhooks: the `id` of the event.'),
  'webhook-timestamp': text('Standard Webhooks: when this attempt was signed, in unix seconds.'),
  'webhook-signature': text('Standard Webhooks: `v1,<base64>` of `<id>.<timestamp>.<raw body>`.'),
} as const

/** Every header that the service adds to a delivery for its receiver. */
export type DeliveryHeader = keyof typeof headers

/** JSON Schema of the headers of a delivery. */
export const deliveryHeaders = { type: 'object', required: Object.keys(headers), properties: headers } as const
