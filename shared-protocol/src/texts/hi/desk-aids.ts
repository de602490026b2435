import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-aids.ts'

export const texts: Translated<typeof en> = {
  reviewAidsTitle: 'सहायक साधन और विराम',
  reviewAidsText: 'उम्मीदवार भी यही वाक्य पढ़ते हैं। सहमत साधन से जो बंद होता है, वह दर्ज नहीं हुआ और किसी क्षण में नहीं गिना जाता।',
  reviewAidsNone: 'उम्मीदवार ने कोई सहायक साधन नहीं बताया।',
  'reviewAidsState.agreed': 'सहमति है',
  'reviewAidsState.declared': 'बताया गया, उत्तर बाकी है',
  'reviewAidsState.refused': 'संगठन ने मना किया',
  reviewAidsBreaks: 'सहमत विराम: {count}, हर एक {minutes} मिनट तक।',
  reviewAidsDetail: 'उम्मीदवार के शब्दों में: {detail}',
  reviewAidsTaken: '{sum} लिए गए सहमत विराम: {count}।',
}
