import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/mail-member.ts'

export const texts: Translated<typeof en> = {
  subject: 'अब आप {org} के सदस्य हैं',
  hello: 'नमस्ते {name},',
  helloNobody: 'नमस्ते,',
  added: '{org} ने आपको सदस्य बनाया है। वहाँ आपकी भूमिका: {role}।',
  roles: { owner: 'स्वामी', admin: 'प्रशासक', interviewer: 'साक्षात्कारकर्ता', reviewer: 'समीक्षक' },
  known: 'आपको कुछ नहीं करना है: इस पते के अपने मौजूदा खाते से पहले की तरह साइन-इन करें।',
  fresh: 'इस पते के लिए एक खाता बनाया गया है। अभी उसका कोई पासवर्ड नहीं है।',
  setPassword: 'इस पेज पर अपना पासवर्ड तय करें:',
  until: 'यह लिंक केवल आपके लिए है और {until} तक काम करेगा। कृपया इसे किसी और को न दें।',
  forgot: 'साइन-इन के पेज पर “मुझे अपना पासवर्ड नहीं पता” से उसे तय करें।',
  notYou: 'अगर आपको इसकी अपेक्षा नहीं थी, तो कृपया इस संदेश का उत्तर दें। इस संदेश से कोई आपके नाम पर कुछ नहीं कर सकता।',
}
