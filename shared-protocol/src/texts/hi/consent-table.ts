import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/consent-table.ts'

export const texts: Translated<typeof en> = {
  consentColumnWhat: 'क्या',
  consentColumnAnswer: 'आपका उत्तर',
  consentWithAgreement: 'सहमत होने पर शामिल',
  consentReadAll: 'हर हिस्सा पूरा पढ़ें',
  consentFoldAll: 'विवरण बंद करें',
  consentAsk: 'क्या इसे रिकॉर्ड किया जा सकता है?',
  consentChoose: 'कृपया हाँ या नहीं चुनें।',
  consentWhy: 'क्यों',
  consentOften: 'कितनी बार',
}
