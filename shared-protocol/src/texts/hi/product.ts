import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/product.ts'

export const texts: Translated<typeof en> = {
  productName: 'Interview Integrity',
  languageLabel: 'भाषा',
}
