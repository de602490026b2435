import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/mail-password.ts'

export const texts: Translated<typeof en> = {
  hello: 'नमस्ते,',
  subject: 'नया पासवर्ड तय करें',
  asked: 'किसी ने इस पते के खाते के लिए नया पासवर्ड माँगा है।',
  link: 'उसे इस पेज पर तय करें:',
  until: 'यह लिंक एक बार, {until} तक काम करेगा। कृपया इसे किसी और को न दें।',
  notYou: 'अगर यह आप नहीं थे, तो आपको कुछ नहीं करना है: पासवर्ड वैसा ही रहेगा।',
  changedSubject: 'आपका पासवर्ड बदल गया है',
  changed: 'इस पते के खाते के लिए नया पासवर्ड तय किया गया, और उसके सभी साइन-इन समाप्त हो गए।',
  changedNotYou: 'अगर यह आप नहीं थे, तो कृपया तुरंत नया पासवर्ड मँगवाएँ, और अपने संगठन को संभालने वाले व्यक्ति को बताएँ।',
}
