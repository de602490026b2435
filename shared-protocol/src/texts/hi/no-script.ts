import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/no-script.ts'

export const texts: Translated<typeof en> = {
  title: 'इस पेज के लिए JavaScript ज़रूरी है',
  roomText: 'कैमरा केवल उसी के साथ चल सकता है। कृपया इस पते के लिए JavaScript चालू करें, फिर लिंक दोबारा खोलें।',
  roomAfter: 'कुछ भी रिकॉर्ड नहीं किया गया और न ही भेजा गया।',
  invitationText: 'आपका निमंत्रण उसी के साथ दिखता है। कृपया इस पते के लिए JavaScript चालू करें, फिर लिंक दोबारा खोलें।',
  invitationAfter: 'कुछ भी रिकॉर्ड नहीं किया गया है, और आपको मिले संदेश में लिखा है कि साक्षात्कार कब है।',
  requestsText:
    'आपके साक्षात्कार का क्या रखा गया है, यह उसी के साथ दिखता है। कृपया इस पते के लिए JavaScript चालू करें, फिर लिंक दोबारा खोलें।',
  requestsAfter: 'आप निमंत्रण देने वाले को लिखकर सीधे भी पूछ सकते हैं।',
  accessText: 'फ़ॉर्म और आपका निमंत्रण उसी के साथ दिखते हैं। कृपया इस पते के लिए JavaScript चालू करें, फिर पेज दोबारा खोलें।',
  passwordText: 'फ़ॉर्म उसी के साथ दिखता है। कृपया इस पते के लिए JavaScript चालू करें, फिर पेज दोबारा खोलें।',
  passwordAfter: 'आपका पासवर्ड वैसा ही है।',
  accessAfter: 'कुछ भी भेजा नहीं गया है।',
}
