import * as z from 'zod'
import { isCountry } from '../clients/countries.ts'

export const countryCode = z
  .string()
  .refine(isCountry, 'must be a country code of ISO 3166-1 alpha-2, such as IN')
  .meta({ description: 'ISO 3166-1 alpha-2' })
