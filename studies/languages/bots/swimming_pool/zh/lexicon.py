"""What the bot knows of Chinese."""

import re
import unicodedata
from functools import lru_cache

from ..text import Language, Values, clock, tidy

CONCEPTS = {
    "adult": "成人 大人 成年人 男士 女士们 成人票 大人票",
    "kin_adult": "老婆 妻子 老公 丈夫 太太 爱人 媳妇 爸爸 妈妈 父亲 母亲 爸 妈 爷爷 奶奶 外公 外婆 姥姥 姥爷 "
    "哥哥 姐姐 朋友 "
    "好友 同事 男朋友 女朋友 男友 女友 闺蜜 同学 父母 爸妈 岳父 岳母 公公 婆婆 叔叔 阿姨 舅舅 姑姑 哥们 老爸 老妈 先生",
    "child": "孩子 孩子们 小孩 小孩子 小孩儿 儿童 小朋友 小朋友们 女孩 男孩 女孩子 男孩子 女孩儿 男孩儿 娃 娃娃 "
    "娃儿 青少年 "
    "未成年人 未成年 中学生 小学生 初中生 高中生 小姑娘 小伙子 姑娘 少年 儿童票 孩子票 小孩票",
    "kin_child": "儿子 女儿 孙子 孙女 外孙 外孙女 外甥 外甥女 侄子 侄女 闺女 大儿子 小儿子 大女儿 小女儿 干儿子 干女儿",
    "infant": "宝宝 婴儿 婴幼儿 宝贝 幼儿",
    "reduced": "学生 大学生 学徒 研究生 留学生 退休 退休人员 老人 老人家 老年人 老年 长者 残疾人 残障人士 残障 "
    "残疾 实习生 "
    "退休老人 老头 老太太 学生票 老人票 老年票 退休的 残疾人票",
    "lower": "优惠票 优待票 半价票",
    "people": "人 客人 游客 访客 参加者 朋友们",
    "self": "本人",
    "family": "家庭 家庭票 全家 一家人 一家",
    "price": "多少钱 价格 收费 费用 票价 价钱 价位 付 付钱 付费 交钱 收钱 花 花费 花钱 免费 贵 便宜 优惠 折扣 "
    "怎么卖 钱 "
    "几块 几块钱 几欧 多少欧 多少欧元 价目 售价 价格表 价目表 收多少 怎么收 定价 报价 单价 啥价 总价 课费 学费 "
    "租金 打折吗",
    "hours": "营业时间 开放时间 营业 开门 关门 开放 开馆 闭馆 开门时间 关门时间 开 关 打烊 时间表 歇业 闭店 "
    "开业 休息 上班 "
    "作息时间",
    "open": "营业时间 开放时间 营业 开门 关门 开放 开馆 闭馆 开 关",
    "ticket": "门票 票 入场券 入场 日票 全天票 单次票 两小时票 入场费 入馆 进场费",
    "place": "泳池 游泳 游泳馆 泳馆 水池 池子 游 lindenbad 泳 场馆 戏水 玩水 下水 水上乐园",
    "sauna": "桑拿 桑拿房 桑拿浴 蒸桑拿 汗蒸 汗蒸房 蒸房 sauna 桑拿票 桑拿区",
    "slide": "滑梯 水滑梯 滑道 水滑道 大滑梯",
    "course": "课 课程 班 游泳课 游泳班 培训 培训班 课时 教学 学习班 兴趣班 游泳课程 训练班",
    "learn": "学游泳 初学者 零基础 初学 教游泳 学会游泳 初级",
    "seahorse": "海马 海马班 海马课 海马课程 seepferdchen seahorse",
    "aqua": "水中健身操 水中健身 水上健身 水中有氧 水中操 水上健身操 水中体操 水中健美操 水中有氧操 水中运动",
    "babyswim": "亲子游泳 亲子游泳课 婴儿游泳 宝宝游泳 婴儿游泳课 宝宝游泳课 亲子课 亲子班 婴幼儿游泳 亲子游泳班",
    "other_course": "潜水 潜水课 跳水 水球 花样游泳 救生 救生员课 自由潜 自由潜水 冲浪 瑜伽 美人鱼 铁人三项 "
    "浮潜 自由泳 蝶泳",
    "park": "停车 停车场 车位 停车位 停车费 泊车 停 车库 开车 车",
    "locker": "储物柜 柜子 更衣柜 寄存柜 存包柜 寄存 存包 衣柜 置物柜 锁柜",
    "key": "钥匙 钥匙扣 手牌",
    "towel": "毛巾 浴巾 大毛巾",
    "robe": "浴袍 浴衣 睡袍",
    "kickboard": "浮板 打水板 游泳板 踢水板 漂浮板 踢板",
    "other_item": "泳镜 游泳镜 护目镜 潜水镜 脚蹼 呼吸管 泳帽 拖鞋 躺椅 泳圈 游泳圈 救生圈 臂圈 手臂圈 浮条 "
    "面条浮棒 凉鞋 救生衣",
    "rent": "租 出租 租借 租用 租赁 借 借用 可租 租一下 借一下",
    "lost": "丢 丢了 丢失 遗失 落在 落 落下 忘在 忘 忘了 忘记 忘带 弄丢 弄丢了 不见了 捡到 失物招领 失物 找不到 "
    "找不着 遗落 拉在 掉了 "
    "丢在",
    "dog": "狗 狗狗 小狗 宠物 猫 猫咪 导盲犬 服务犬 动物 犬",
    "wear": "布基尼 泳衣 泳裤 泳装 着装 短裤 沙滩裤 t恤 紧身裤 连体泳衣 比基尼 burkini 穿 穿着 穿什么 衣服 牛仔裤",
    "temp": "水温 温度 热 冷 暖 暖和 凉 加热 多少度 几度 恒温 摄氏度",
    "deep": "深 水深 多深 深度 浅 深浅",
    "lane": "泳道 来回游 游圈 长距离 赛道 游长距离 几条道",
    "card": "刷卡 信用卡 银行卡 储蓄卡 借记卡 visa mastercard maestro 万事达",
    "cash": "现金 硬币 零钱",
    "amex": "美国运通 运通 运通卡 amex",
    "paypal": "paypal",
    "note": "纸币 钞票 大钞 面额 面值 票子 大票",
    "paying": "付款 支付 支付宝 微信支付 结账 付款方式 支付方式 扫码 微信付款 移动支付 applepay",
    "alone": "独自 单独 陪同 陪 监护 看护 陪护 监护人",
    "food": "吃 食物 吃的 食品 餐厅 小吃 自带 饮料 喝的 三明治 咖啡 咖啡厅 蛋糕 生日蛋糕 餐吧 小餐馆 bistro "
    "酒馆 餐饮 午饭 午餐 "
    "零食 便当 野餐 水果 饭 用餐 小吃店 饭店 餐馆 喝 吃饭",
    "alcohol": "酒 啤酒 红酒 葡萄酒 香槟 白酒 酒精 喝酒 含酒精",
    "way": "地址 怎么走 怎么去 怎么过去 怎么来 怎么到 公交 公交车 地铁 巴士 在哪 在哪里 在哪儿 位置 路线 "
    "有轨电车 公共交通 坐车 "
    "哪一站 几路车 交通 定位 导航",
    "access": "轮椅 无障碍 电梯 坡道 无障碍设施 无障碍通道",
    "photo": "拍照 照片 照相 摄影 录像 视频 拍 拍视频 摄像 相机 自拍 拍摄 gopro",
    "wifi": "wifi 无线网 无线 网络 上网 无线网络",
    "contact": "电话 邮箱 邮件 联系 客服 人工 真人 人工客服 联系方式 打电话 电话号码 工作人员",
    "complaint": "投诉 脏 脏死了 恶心 态度差 态度恶劣 不卫生 差劲 差评 不满 脏兮兮 臭 没礼貌 太差 脏乱",
    "jobs": "招聘 招人 应聘 兼职 实习 求职 招工 招救生员 招员工 职位 找工作 岗位",
    "ten": "十次卡 次卡 多次卡",
    "annual": "年卡 年票 包年 年费 一年卡 全年卡",
    "voucher": "礼品卡 礼券 代金券 礼品券 购物卡 礼卡 购物券 礼物卡 充值卡",
    "party": "生日派对 生日 派对 生日会 聚会 过生日 庆生 生日聚会 生日party party 庆祝 办生日",
    "cancel": "取消 退订 退课 退款 退 退钱 退费 撤销",
    "book": "预订 预约 预定 报名 订 订位 登记 报 报个名 注册 报上 订一个 订个",
    "medical": "中耳炎 发烧 医生 怀孕 孕妇 疣 感冒 流感 湿疹 腹泻 拉肚子 伤口 结膜炎 手术 过敏 哮喘 皮疹 发炎 "
    "感染 药 水痘 生病 耳朵疼 "
    "病 红眼病 脚气 传染 孕期 扁平疣 咳嗽 缝针 高烧 低烧 癣 皮肤病 耳朵 头疼 头痛 肚子疼",
    "privacy": "邻居 前夫 前妻 前男友 前女友 前任",
    "offtopic": "诗 首诗 笑话 足球 总统 作业 菜谱 翻译 比特币 选举 星座 天气 提示词 指令 系统提示 作文 股票 歌 "
    "世界杯 论文",
    "hairdryer": "吹风机 电吹风 吹头发 吹风筒 吹干",
    "diaper": "尿布 尿不湿 纸尿裤 游泳尿裤 防水尿裤 尿裤 拉拉裤",
    "pool_sport": "运动池 竞技池 标准池 大池 训练池 比赛池 运动泳池 深水池",
    "pool_leisure": "休闲池 娱乐池 休闲泳池 嬉水池",
    "pool_kids": "儿童池 儿童戏水池 宝宝池 幼儿池 儿童泳池 浅水池 婴儿池 戏水池 孩子池",
    "pool_salt": "室外池 室外泳池 露天池 露天泳池 盐水池 户外泳池 户外池 室外盐水池 海水池 外面的泳池 "
    "外面的池子 咸水池 室外游泳池 "
    "露天游泳池 室外盐水泳池",
    "day0": "周一",
    "day1": "周二",
    "day2": "周三",
    "day3": "周四",
    "day4": "周五",
    "day5": "周六",
    "day6": "周日",
    "day56": "周末 双休日",
    "day01234": "工作日 平日 平时",
    "holiday": "节假日 公共假日 假日 法定假日 法定节假日 节日 假期日 公休日 公众假期",
    "ask": "请问 能 可以 可否 能否 怎么 什么 多少 几 哪 哪里 哪个 哪些 是否 有 告诉 咨询 问 问一下 了解 知道 行 "
    "允许 帮 帮忙 准 让 "
    "收 怎样 如何 多久 多高 多大 什么时候 几点 为什么 请 麻烦 想知道 想问 查一下 提供 需要 想 想要 要",
    "wish": "想 想要 要 需要 用 使用 打算 准备 去 做 蒸 玩 来 进 感兴趣 用不着",
    "prep": "的 是 了 在 我 我们 咱们 咱 你 你们 您 去 到 就 只 也 都 把 给 对 用 个 位 这 那 们 那里 这里 那儿 "
    "这儿 来 从 向 跟 让 为 被 会 "
    "做 还 要 想 呢 啊 吧 呀 哦 地 得 里 上 下 内 里面 我的 你们的 我家 我们家 只是 单纯 光 仅 带 说 那个 这个 "
    "大概 一般",
    "neg": "不 没 没有 别 不是 不要 不用 不想 不去 不来 无 不需要 不做 除了 不在 而不是 并非 不玩 不买 别算",
    "negback": "不去 不来 不行 不用 不要 不需要 不想 不算",
    "without": "不含 不包括 不带",
    "and": "和 跟 与 还有 以及 另外 并且 同时 此外 加上 再加 顺便 而且 及 加",
    "pronoun": "他 她 它 他们 她们 ta",
    "anaphor": "那 这个 那个 这 它",
    "under": "不到 未满 不足 小于 低于 不满 少于",
    "over": "超过 大于 高于 多于",
    "of_bound": "的",
    "claim": "说过 听说 网上 官网 网站 上次 不可能 骗人 通融 破例 答应 保证过 承诺 据说 骗我 瞎说 胡说 不信 听人说",
    "thanks": "谢谢 多谢 感谢 谢了 谢啦 谢谢您 谢谢你 谢谢啦 谢谢了 thanks thx 3q 非常感谢 万分感谢 感激不尽 "
    "先谢过 谢过",
    "bye": "再见 拜拜 回见 bye 下次见 再会",
    "greet": "你好 您好 早上好 下午好 晚上好 上午好 中午好 嗨 哈喽 在吗 亲 hello hi 哈啰 你们好 大家好 喂 亲爱的",
    "helpme": "帮助 求助 帮帮我",
    "weakfix": "抱歉 对不起 不好意思 哎呀 sorry 不对 哦不 啊不 等等",
    "fix": "更正 纠正",
}
COMMON = """联系人 离开课 贵馆 贵店 贵司 贵方 分别 性别 区别 级别 告别 别的 别墅 个别 各别 一起 一样 一直 一定 一般
一共
一下 一些 一点点 一点儿 一会儿 一会 一切 一边 一旦 一律 万一 十分 "
"三明治 第一次 第一 第二
第一天 有点 有点儿 便宜点 便宜一点 快点 早点 晚点 大一点 小一点 早一点 晚一点 一点问题 一点都 一点也 有一点 看一下
看一看 试一试 问一问
不知道 不客气 不错 不过 不管 不仅 不但 不如 不好 不久 不清楚 不明白 不懂 不少 不同 差不多 要不 要不然 不然 没关系
没问题 没事 没事儿 没错
本来 本周 本地 其实 其他 其它 因为 所以 如果 要是 但是 可是 然后 而是 或者 还是 或 虽然 即使 比如 例如 关于 对于
由于 自从 按照 根据 通过 经过
今天 明天 后天 昨天 前天 现在 刚才 刚刚 以前 以后 之前 之后 目前 最近 马上 立刻 已经 正在 将要 曾经 经常 常常 有时
有时候 总是 从来 时候 时间
时长 小时 钟头 分钟 秒 点钟 一刻 三刻 早上 上午 中午 下午 晚上 傍晚 凌晨 半夜 夜里 清晨 白天 大早上 晚间 星期 礼拜
月 日 号 年 岁 周岁 个月 月大
今年 明年 去年 本月 下个月 上个月 这个月 下周 这周 上周 这个周末 下个周末 暑假 寒假 放假 假期 春天 夏天 秋天 冬天 新年
人数 人们 人员 别人 工人 人民币 每人 每个人 人家 家人 家里 家长 男人 女人 女生 男生 女士 小姐 老师 教练 救生员 员工
服务员 经理 老板 前台 收银台
售票处 柜台 更衣室 更衣间 淋浴间 淋浴 洗澡 浴室 厕所 卫生间 洗手间 入口 出口 门口 大厅 楼 楼上 楼下 外面 里面 旁边
附近 对面 中心 城市 德国 中国 柏林
身高 体重 年龄 岁数 高度 长度 厘米 公分 米 公里 欧元 欧 块 块钱 元 分钱 公斤 度 次 张 条 件 块 份 只 双 把 间 辆 名
口 群 批 趟 遍 期 节 场 项 种 套 杯 瓶 本
东西 手表 手机 钱包 戒指 项链 耳环 眼镜 外套 包 书包 背包 帽子 鞋 鞋子 衣物 行李 物品 贵重物品 玻璃 瓶子 杯子
身份证 护照 证件 学生证 证明 发票 收据
知道了 明白 明白了 好的 好吧 好 好了 好啊 行吧 可以的 嗯 嗯嗯 哦 噢 啊 哈哈 哈 嘻嘻 呵呵 呃 额 唉 哎 那么 那就 那样
这样 这么 怎么样 怎么办 怎么回事 什么样
为啥 啥 咋 咋样 多长 多长时间 多远 多重 多宽 大小 多少人 几个 几个人 几次 几天 几岁 几月 几号 哪天 哪种 哪位 谁
觉得 认为 以为 好像 可能 也许 应该 必须 一定要
得 肯定 确实 真 真的 非常 很 太 特别 比较 更 最 挺 超级 超 极 相当 稍微 稍 尤其 完全 全部 全 所有 整个 整 大家 各
每 每天 每周 每次 每月 每年 天天 全天 当天
喜欢 希望 期待 计划 考虑 决定 选择 参加 加入 开始 开课 结束 完 完了 到达 离开 出发 回来 回去 回家 回复 回答 解答
解释 介绍 推荐 建议 意见 说明 看 看到 看看
看见 听 听到 听见 读 写 画 聊 聊聊 聊天 谈 讲 讲讲 告知 通知 提醒 打扰 打扰了 打扰一下 冒昧 辛苦 辛苦了 拜托 劳驾
耐心 回应 稍等 等 等待 等一下 稍后 收到 发 发送
寄 送 拿 拿到 取 放 放在 找 找到 买 购买 卖 换 换成 改 改变 改成 改期 更换 调整 修改 算 算一下 计算 总共 合计 平均
加 减 除 比 比例 包括 包含 含 除外 另 另一个
有效 有效期 过期 到期 转让 使用 适用 适合 合适 需 需求 要求 规定 规则 条件 限制 最低 最高 最少 最多 最小 最大 最早
最晚 至少 至多 以上 以下 以内 之内 左右 大约
大概 差不多 刚好 正好 恰好 满 够 足够 超出 不限 容易 简单 困难 难 方便 麻烦您 麻烦你 快 慢 早 晚 久 远 近 高 矮 低
长 短 大 小 多 少 新 旧 老 年轻 漂亮 干净 舒服
安静 安静地 安全 危险 重要 有趣 好玩 无聊 累 忙 饿 渴 开心 高兴 生气 难过 担心 害怕 放心 满意 失望 可惜 遗憾 幸运
运气 问题 事 事情 情况 原因 结果 办法 方法 方式
机会 地方 地点 位子 座位 桌子 椅子 房间 床 窗户 空调 灯 音乐 电影 游戏 运动 健身 锻炼 跑步 打球 篮球 网球 骑车
自行车 火车 飞机 出租车 打车 走路 步行 走 跑
跳 站 坐 躺 睡 睡觉 起床 工作 上学 学校 幼儿园 大学 班级 老板 公司 单位 团体 团队 团建 组织 举办 举行 办 搞 弄 安排
准备好 计划好 名字 姓名 姓 叫 名 名义 名下 称呼
号码 信息 消息 资料 网页 软件 应用 下雨 下雪 刮风 晴天 天 第一次来 头一回 初次 刚 才 又 再 再次 再说 还会 还能
还可以 仍 仍然 依然 曾 正 将 会 该 应当 肯 敢 愿 愿意 乐意 必要 有必要
值得 关心 爱 恨 帮我 帮我们 给我 给我们 跟我 对我 替 为了 以便 从 往 朝 沿 顺 离 距 距离 距离开课 提前 事先 预先
提早 推迟 延期 临时 突然 忽然 居然 竟然 难道
到底 究竟 反正 总之 简而言之 顺便问一下 顺便问下 对了 话说 另外问一下 补充 具体 详细 清楚 准确 正确 错 错误 误会
误解 搞错 弄错 记错 真实 假 重复 同意 反对 拒绝 接受 支持 属于 等于
成为 变 变成 保持 保留 保存 保护 注意 小心 禁止 不准 不许 不能 不可以 不会 不行 不让 不得 没法 无法 没办法 不好玩
不够 不了 得了 患 患有 患了 有病 身体 皮肤 头发 眼睛 手 脚 腿 肚子 背 头
脸 嘴 牙 水 热水 冷水 开水 饮水 火 电 充电 插座 光 空气 沙子 海 湖 河 山 树 花草 草地 公园 广场 商店 超市 市场 银行
邮局 医院 药店 警察 消防 银行账户 折 九折 八折 五折
之间 中间 期间 前 后 前面 后面 左 右 东 南 西 北 内容 主题 主要 首先 其次 最后 终于 后来 接着 于是 因此 既然 只要
只有 除非 无论 尽管 就是 也是 都是 是的 是不是 算了 没什么 什么的 等等的
""".replace("\n", " ")
NUMERALS = "零〇一二两三四五六七八九十百千万"
DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10000}
DAYS = "一二三四五六日"
SLIP_PAIRS = """
游永>游泳 由泳>游泳 游勇>游泳 泳迟>泳池 泳持>泳池 多小钱>多少钱 多少前>多少钱 多烧钱>多少钱
桑那>桑拿 桑纳>桑拿 嗓拿>桑拿 丧拿>桑拿 滑体>滑梯 华梯>滑梯 划梯>滑梯 滑提>滑梯 停车厂>停车场 停车常>停车场
亭车>停车 毛斤>毛巾 毛今>毛巾 浴斤>浴巾 玉袍>浴袍 浴抱>浴袍 裕袍>浴袍 浮版>浮板 扶板>浮板 泳境>泳镜 永镜>泳镜
泳竟>泳镜 海吗班>海马班 海玛班>海马班 生曰>生日 声日>生日 生日爬对>生日派对 派队>派对 门漂>门票 们票>门票
闷票>门票 儿同>儿童 而童>儿童 学升>学生 取销>取消 取肖>取消 几典>几点 开们>开门 关们>关门
营业时见>营业时间 迎业>营业 营业实间>营业时间 星其>星期 兴期>星期 星棋>星期 礼拜>星期 里品卡>礼品卡
礼品咔>礼品卡 年咔>年卡 刷咔>刷卡 止币>纸币 手表拉在>手表落在 手裱>手表 更医室>更衣室 布吉尼>布基尼
布基泥>布基尼 不基尼>布基尼 罗椅>轮椅 轮以>轮椅 伦椅>轮椅 无障爱>无障碍 拍找>拍照 拍招>拍照 钥是>钥匙 药匙>钥匙
要匙>钥匙 储物贵>储物柜 存物柜>储物柜 中耳言>中耳炎 中尔炎>中耳炎 投拆>投诉 头诉>投诉 投述>投诉 淋玉>淋浴
泳到>泳道 永道>泳道 水文>水温 水瘟>水温 温渡>温度 室外泳迟>室外泳池 前水课>潜水课 浅水课>潜水课 钱水>潜水
报明>报名 抱名>报名 预定>预订 课成>课程 克程>课程 亲子由泳>亲子游泳 水中健生>水中健身 水中建身>水中健身
退修>退休 推休>退休 女而>女儿 而子>儿子 儿字>儿子 孩纸>孩子 宝包>宝宝 复活结>复活节 付活节>复活节
圣担节>圣诞节 圣旦节>圣诞节 代狗>带狗 戴狗>带狗 自代>自带 自戴>自带 餐把>餐吧 公交平>公交车 工交车>公交车
公叫车>公交车 谢射>谢谢 写写>谢谢 不何以>不可以 可已>可以 需药>需要
须要>需要 什么时后>什么时候 甚么>什么 神马>什么 啥时候>什么时候 啥时>什么时候 咋走>怎么走 咋去>怎么去
咋>怎么 咱们>我们 俺>我 成仁>成人 承人>成人 大仁>大人 全天漂>全天票 题前>提前 费勇>费用 废用>费用 价各>价格
介格>价格 游咏>游泳 好象>好像 以经>已经 因该>应该 关门钱>关门前 入厂>入场 停车长>停车场 煤有>没有
 呆>待 帐>账
"""
SLIPS: dict[str, str] = {pair.split(">")[0]: pair.split(">")[1] for pair in SLIP_PAIRS.split()}
WORDS = frozenset(word for text in [*CONCEPTS.values(), COMMON] for word in text.split() if re.search(r"[一-鿿]", word))
LONGEST = max(map(len, WORDS))
KINS = "|".join(sorted(f"{CONCEPTS['kin_child']} {CONCEPTS['kin_adult']}".split(), key=lambda word: -len(word)))
DAY = r"周[一二三四五六日]"
WITH = r"(?:大人|家长|成年人|成人|父母|爸妈|爸爸|妈妈|我们|监护人|别人|人)"
TOPIC = r"(桑拿房?|蒸桑拿|滑梯|停车|课程|毛巾|浴袍)"
DAYS_TOPIC = r"(周[一二三四五六日])"
HERE = r"(?:你们|您们|贵馆|泳池|游泳馆|泳馆|lindenbad|场馆|馆|那里|那儿|那边|那|这里|咱们|咱家)*"
PHRASES: tuple[tuple[str, str], ...] = (
    (r"(.)不\1(?=.)", r"\1"),
    (r"有没有", "有"),
    (r"(?:不|不想|不要|不用|不需要)(?:租|借|要)(?=毛巾|浴巾|浴袍|浮板)", " @neg @wish "),
    (r"外(?:面|边|头)(?:的)?(?:那个)?(?:泳池|游泳池|池子|池)", "室外池"),
    (
        r"(?:几点|什么时候)(?:以后|之后|过后|后)(?:就|便)?(?:不能|不可以|不让|进不了|不许)(?:再)?(?:入场|进场|进去|进馆|进|入馆)?(?:了)?",
        " @last_entry ",
    ),
    (r"没(?:有)?(?:带|拿|准备)(?=泳镜|毛巾|浴巾|浴袍|浮板|泳帽|拖鞋|脚蹼)", "带"),
    (r"(?:给|为|帮)(?:我)?(?:的|家)?(?:孩子|小孩|宝宝|娃)们?(?=办|过|庆|举|开|订|预|搞)", ""),
    (
        r"(?<![一二两三四五六七八九十\d][个位名条件块])(成人|大人|儿童|孩子|小孩|小朋友|学生|老人|毛巾|浴巾|浴袍|浮板)"
        r"([一二两三四五六七八九十\d]+)([个位名条件块])(?!成人|大人|儿童|孩子|小孩|小朋友|学生|老人|的)",
        r"\2\3\1",
    ),
    (
        r"(?:不对|哦不|啊不|不不|等等|不是[,.!])[,.!]*(?=[一二两三四五六七八九十百\d]+[个位名条件块岁点月人]"
        r"|周[一二三四五六日])",
        " @fix ",
    ),
    (r"(?:可以|能)(?:用来)?付(?=吗|么|\?)", "可以"),
    (
        TOPIC + r"(?:我们|我|就|也|的话|那个|,|咱们|我家|先|都)*(?:不(?:用|需要|要|想要|想|去|做|玩|来|蒸|考虑"
        r"|感兴趣|行)|没(?:兴趣|空|时间|必要)|算了)(?:去|做"
        r"|蒸|租|玩|来)?(?:了|的)?(?=[,.;!\n]|$|只|就|我)",
        r" @neg @wish \1 , ",
    ),
    (r"对" + TOPIC + r"(?:不感兴趣|没兴趣|没有兴趣)", r" @neg @wish \1 , "),
    (
        DAYS_TOPIC + r"(?:我们|我|就|也|的话|那个|,|咱们|我家|先|都)*(?:不(?:用|需要|要|想要|想|去|做|玩|来|蒸"
        r"|考虑|感兴趣|行)|没(?:兴趣|空|时间|必要)"
        r"|算了)(?:去|做|蒸|租|玩|来)?(?:了|的)?(?=[,.;!\n]|$|只|就|我)",
        r" @neg \1 , ",
    ),
    (
        r"(孩子|小孩|小朋友|儿童)们?,?(?:孩子|小孩|小朋友|他们)们?(?:的)?(?:分别"
        r"|年龄)?(?=是?[一二三四五六七八九十\d]+[岁,])",
        r"\1,",
    ),
    (
        r"([一二两三四五六七八九十\d]+)个((?:[一二三四五六七八九十\d]+岁?\s*[,和跟及]\s*)+[一二三四五六七八九十\d]+岁)的?(孩子|小孩|小朋友|儿童)",
        r"\1个\3\2",
    ),
    (
        r"((?:桑拿|健身操|有氧操|课程|课|班|餐吧|餐厅)(?:房|浴)?)(?:的)?(?:(?:价格|收费|费用|票价|多少钱)(?:和|跟"
        r"|与|及|以及|,)(?:开放|营业|上课|开门)?时间"
        r"|(?:开放|营业|上课|开门)?时间(?:和|跟|与|及|以及|,)(?:价格|收费|费用|票价))",
        r"\1 @price @ask ",
    ),
    (r"(?:开放|营业|开门|上课)?时间呢", " @hours @ask @anaphor ? "),
    (r"开个?(?=生日|派对|聚会|party)", "办"),
    (r"(?:是否|可否|能否)", "可以"),
    (
        r"(?:你|您|你们)?(?:真的|能)?(?:确定|肯定|敢肯定|保证)(?:是)?(?:吗|嘛|么)|(?:你|您)(?:真的)?(?:确定|肯定)"
        r"|(?:是|这是)?真的(?:吗|嘛|假的|么)"
        r"|没(?:搞|弄|记|说)错吧|当真|(?:是这样|真是这样|(?<!派)对)吗(?=[?.!]*$)|真的(?=\?)",
        " @sure ",
    ),
    (
        r"(?:啊|哦|哎呀|噢|呃)?[,. ]*(?:不对|不是|不好意思|抱歉|对不起|等等|等一下|更正(?:一下)?|不)?[,.!:; "
        r"]*我?(?:刚才)?(?:说的是|指的是|是说|的意思是"
        r"|想说的是|要说的是|想说|意思是|本来想说|问的是)",
        " @fix ",
    ),
    (r"(?:我)?(?:刚才)?(?:说|打|写|搞|弄|记|输|报)错(?:了|字)?[,.! ]*(?:应该)?(?:是)?", " @fix "),
    (r"(?:不对|哦不|啊不|不不+|等等|等一下|不好意思|抱歉)[,.! ]*(?:应该|其实)?(?:是|改成|换成)(?!不)", " @fix "),
    (r"(?:应该是|其实是|改成|换成|改为|换为|更正[为:]?)", " @fix "),
    (r"不是(\d+|[一二两三四五六七八九十百]+)(?:个|位|名|条|岁)?(?:人|孩子|小朋友)?[,.]?(?:而)?是", r" \1 @fix "),
    (
        r"(?:我)?(?:的)?(?:一个)?(?:朋友|同事|邻居家|同学|老公|老婆|闺蜜|妈妈|别人|有人|家人|他们|客服|工作人员"
        r"|前台|员工|网友|人家)(?:们)?(?:都|跟我|告诉我|却|可是|明明|上次)*"
        r"(?:说|告诉|讲)(?:过|了|的)?",
        " @claim ",
    ),
    (
        r"(?:你们?|您|贵馆)?(?:的)?(?:官网|网站|网页|网上|页面)(?:上)?(?:都|明明|可是)*(?:写|说|显示|标)?(?:的"
        r"|着)?|听(?:人)?说|上(?:次|回)(?:来)?"
        r"|(?:你|您|你们)?(?:搞|弄|说|记)错了(?:吧)?|(?:这|那)?不(?:对|可能)(?:吧|的)?(?=[,.!?]|$)|(?:就)?(?:通融"
        r"|破例|例外)(?:一下|一次)?|就这一次"
        r"|不相信|我不信|骗人|胡说",
        " @claim ",
    ),
    (
        r"算了(?:吧)?|不用了(?=[,.!]|$)|(?:我|我们)?(?:改变主意|改主意|不想)(?:了)?(?=[,.!]|$)|当我没(?:说|问)"
        r"|忘了吧|不订了|不预订了|不报(?:名)?了"
        r"|不要了(?=[,.!]|$)"
        r"|(?:我|我们)?不需要了(?=[,.!]|$)|没关系了|不办了|不去了(?=[,.!]|$)",
        " @forget ",
    ),
    (
        r"(?:还|仍然|依然|暂时|现在|也|都|根本|完全|目前)*(?:不太|不怎么|不大|不|没有|没)(?:学)?会(?:自己)?(?:游泳"
        r"|游(?!戏))|不会水|旱鸭子"
        r"|(?:还)?(?:没|没有|未)学(?:过|会)(?:游泳)?",
        " @cantswim ",
    ),
    (
        r"(?:没有?|不(?:用|需要|带|跟|要)?|无|没)(?:" + WITH + r")(?:的)?(?:陪同|陪伴|陪着|陪|带领|带着|带|在场"
        r"|看着|监护|一起|在|跟着)?(?:的情况下)?"
        r"|(?:需要|要|必须|得|应该)(?:有)?(?:" + WITH + r")(?:陪同|陪着|陪|带着|带)",
        " @alone ",
    ),
    (
        r"(?:自己|独自|单独|一个人|独自一人|自个儿)+(?:就|能|可以|单独)*(?=(?:来|去|进|游|下水|玩|待|过来|到|在"
        r"|一人|入))",
        " @alone ",
    ),
    (r"(?:来|去|游泳|进去|过来)(?:可以|能|行)?自己(?=[?.!,]|$)", " @alone "),
    (r"自己(?:带|的|做的|准备)(?:吃的|食物|东西|饮料|喝的|饭)?", "自带"),
    (
        r"我(?:和|跟|与|加|、|,)(?=(?:我)?(?:的)?(?:" + KINS + r"|\d|[一二两三四五六]|孩子|小孩|宝宝))|(?:和|跟"
        r"|还有|加上)我(?=[,.?!]|$|一起|要|两"
        r"|想)",
        " @self , ",
    ),
    (r"我(?:和|跟|与)(?=他|她)", " @self , "),
    (r"一家\s*([三四五六七八\d])\s*口(?:人)?|([三四五六七八\d])\s*口之家", r" 家庭 \1\2 , "),
    (r"(?:十|10)\s*次(?:卡|票|套票|入场卡|入场券|门票)|(?:十|10)次的?卡|多次卡|次卡", " @ten "),
    (r"(?:一|1)?(?:整)?年(?:的)?(?:卡|票|通票|会员(?:卡)?)|年度(?:卡|票|会员)|包年(?:卡)?|季卡|会员卡", " @annual "),
    (r"(?:礼品|礼物|送礼|购物|代金|礼|充值|现金)(?:卡|券)|优惠券", " @voucher "),
    (
        r"(?:用|使用|刷)?(?:银行|信用|借记|储蓄|visa|ec|giro)卡(?:付款|支付|付钱|付)?|刷卡(?:付款|支付)?|用卡"
        r"|卡(?:付款|支付)|(?:接受|收)卡(?!片)"
        r"|刷(?:visa|卡)",
        " @card ",
    ),
    (r"american express|美国运通卡?|运通卡?", " @amex "),
    (
        r"(?:怎么|如何|用什么)(?:付钱|付款|支付|付费|付|结账|买单)|(?:付款|支付|付钱)(?:方式|方法)|(?:可以|能"
        r"|支持)?用?(?:支付宝|微信支付|微信付款|微信)(?:付款|付钱|付)?"
        r"|(?:可以|能)付(?=现金)",
        " @paying ",
    ),
    (
        r"(?:停止|最晚|最迟|最后)(?:的)?(?:几点|什么时候|多久|时间)?(?:可以|能|还能|还可以)?(?:入场|进场|入馆|进馆"
        r"|进去|进来|进入|进门)(?:时间)?(?:是)?(?:几点|什么时候)?"
        r"|(?:关门|闭馆|打烊|关闭|停业)(?:之)?前(?:的)?(?:最晚|最少|至少|最多)?(?:多久|多长时间|多少分钟"
        r"|几分钟)(?:之前)?(?:还|就)?(?:可以|能|不能|不让|允许"
        r"|让)?(?:入场|进场|进去|进来|进|入馆|进馆|进入)?"
        r"|(?:可以|能)?(?:入场|进场|进去|进馆)(?:的)?(?:最晚|截止)(?:时间)?(?:是)?(?:几点|什么时候)?|(?:几点"
        r"|什么时候)(?:之)?(?:前|后)(?:就|还)?(?:不能"
        r"|可以|能|不让)?(?:入场|进场)",
        " @last_entry ",
    ),
    (
        r"(?:婴儿|宝宝|婴幼儿|亲子|幼儿|带娃|母婴)(?:的)?游泳(?:课程|课|班)?|亲子(?:课程|课|班)|(?:给|带)(?:宝宝"
        r"|婴儿)(?:上|开)?(?:的)?游泳课|(?:宝宝"
        r"|婴儿)(?:可以|能)?上(?:的)?(?:什么)?(?:游泳)?课",
        " @babyswim @course ",
    ),
    (
        r"水(?:中|上|里|下)(?:的)?(?:健身|有氧|体|健美|运动)?(?:操|健身|有氧)(?:课程|课|班)?|aqua ?(?:fitness|gym)"
        r"|水中健身(?:操)?(?:课程|课"
        r"|班)?",
        " @aqua @course ",
    ),
    (r"海马(?:游泳)?(?:课程|课|班|徽章)?", " @seahorse @course "),
    (
        r"(?:想|要|可以|能)?学(?:习)?(?:会)?游泳|教(?:人|孩子|我)?游泳|(?:初学|零基础|入门)(?:者)?(?:课程|课"
        r"|班)?",
        " @learn @course ",
    ),
    (
        r"(?:租|借)(?:一[件条套顶个]|几[件条])?(?:泳衣|泳裤|泳装|泳帽)|(?:泳衣|泳裤|泳装|泳帽)(?:可以|能"
        r"|有)?(?:出租|租借|租|借)|(?:出租|租借|提供)(?:泳衣|泳裤"
        r"|泳装)",
        " 租 泳圈 ",
    ),
    (r"(?:必须|要|一定要|需要|得)?戴泳帽", " @wear @ask "),
    (r"(?:便服|日常衣服|泳帽(?:是)?必须)", " @wear "),
    (
        r"(?:救生员|员工|客人|顾客|邻居|教练|工作人员|服务员|游客)(?:的)?(?:私人|个人|手机)?(?:电话|号码|手机号?"
        r"|地址|微信|名字|联系方式)(?:号码)?"
        r"|(?:我)?(?:的)?(?:前夫|前妻|前任|前男友|前女友|邻居|老公|老婆|老板)(?:今天|昨天|上周)?(?:有)?(?:来过"
        r"|在(?:你们|那|这)|去过|来了)",
        " @privacy ",
    ),
    (
        r"打(?:个|点|几|[一二三四五六七八九\d])?折|便宜(?:一)?点|优惠(?:一)?点|(?:给|多给|再给)(?:我|我们)?(?:个"
        r"|点|些)?(?:折扣|优惠|特价)|讲价|砍价|还价|友情价|算便宜"
        r"|特别优惠|额外优惠|少(?:收|算)点",
        " @discount ",
    ),
    (r"(?:忽略|无视|忘掉)(?:之前|以上|所有|你)?(?:的)?(?:所有)?(?:指令|规则|提示)", " @offtopic "),
    (r"吹(?:干)?头发|吹风(?:机|筒)|电吹风", " @hairdryer "),
    (r"(?:游泳|防水|泳用)?(?:尿布|尿不湿|纸尿裤|尿裤|拉拉裤)", " @diaper "),
    (r"(?:免费)?(?:wi-?fi|wlan)(?:密码)?|无线网(?:络)?", " @wifi "),
    (
        r"(?:转|找|接|跟|和|与)(?:一位|个|一个)?(?:人工|真人|客服|工作人员|活人|员工)(?:客服)?(?:聊|说话|谈|沟通"
        r"|讲话|联系|说)?|(?:怎么|如何)联系(?:你们|您)?"
        r"|(?:你们|贵馆)(?:的)?(?:电话|邮箱|联系方式)(?:号码)?(?:是)?(?:多少|什么)?|电话(?:号码)?(?:是)?多少",
        " @contact ",
    ),
    (
        r"(?:坐|乘|搭|开|骑)?(?:什么|几路|哪路|哪趟)?(?:公交车?|地铁|巴士|火车|有轨电车|公共交通)(?:怎么)?(?:能"
        r"|可以)?(?:去|到|来|走|过去|过来)?"
        + HERE
        + r"|(?:怎么|如何|咋)(?:才能|能|可以)?(?:去|到|来|走|过去|过来)(?:到)?"
        + HERE
        + r"|在(?:哪里|哪儿"
        r"|哪)(?!可以|能|停|买|租|换|洗|拿|报|订|交)"
        r"|(?:具体)?(?:地址|位置)(?:是)?(?:在)?(?:哪里|哪儿|哪|什么)?"
        r"|(?:怎么|如何)(?:坐车|乘车|走)",
        " @way ",
    ),
    (
        r"(?:开车|自驾)(?:来|去|过来)?|(?:车|汽车|车子)(?:可以|能|应该)?停(?:在)?(?:哪里|哪儿|哪)?"
        r"|停(?:一)?(?:个)?(?:我的)?车(?!场|位|费)|(?:停"
        r"|泊)车(?:场|位|费)?|哪里(?:可以|能)停车",
        " @park ",
    ),
    (r"(?:柜子?|储物柜|更衣柜)?(?:的)?钥匙", " @key "),
    (r"(?:失物招领|(?:不见|弄丢|丢失|遗失|落下|忘)了|落在|忘在|拉在|丢在|(?:有人)?捡到)", " @lost "),
    (r"(?:公共|法定|公众)?(?:节)?假日|节日", " @holiday "),
    (
        r"(?:营业|开放|开门|上班)(?:的)?时间(?:表)?(?:是|为)?从?(?:几点|什么时候)(?:(?:到|至)(?:几点|什么时候))?",
        " @hours @ask ",
    ),
    (
        r"(?:几点|什么时候|何时)(?:(?:到|至)(?:几点|什么时候))?(?:才|就|能|可以|会|都|开始)*(?:开门|关门|营业|开馆"
        r"|闭馆|打烊)(?:到几点|至几点)?",
        " @hours @ask , ",
    ),
    (
        r"(?:几点|什么时候|何时|多会儿|几时)(?:到|至)?(?:几点|什么时候)?(?:开始)?(?:开门|关门|营业|开放|开馆|闭馆"
        r"|打烊|开|关)?(?!课|始|车)(?:到几点|至几点)?(?:呢|啊|呀)?"
        r"(?=[,.?!]|$|吗|的)",
        " @hours @ask @anaphor , ",
    ),
    (
        r"(?:几点|什么时候|何时)(?:才|就|能|可以|会|都)*(?:开门|关门|营业|开放|开馆|闭馆|打烊|开|关)(?!课|始"
        r"|车)",
        " @hours @ask @anaphor , ",
    ),
    (r"(?:几点|什么时候)(?:上课|开课|有课|开始)", " @ask "),
    (
        r"(?:什么|多少|几点)(?:时间)?(?:开放|营业|开门|关门)(?:时间)?|(?:营业|开放|开门"
        r"|上班)(?:的)?时间(?:表)?(?:是)?(?:几点到几点|什么时候|多少|什么"
        r"|怎样的)?",
        " @hours @ask ",
    ),
    (
        r"(?:一共|总共|合计)?(?:需要|要|得|应该|该|会)?(?:付|花|收|交|是|掏)?(?:多少|几)(?:钱|欧元|欧|块钱|块"
        r"|费用)(?:一[张个位次条件人天])?(?:呢|啊"
        r"|呀)?(?=[一-鿿])(?!的|面|纸|钞|吗|呢|来|以)",
        " @price @ask , ",
    ),
    (r"(?:要|需要|得)?(?:付|花|收|交|掏)(?:多少|几)(?:钱|欧元|欧|块)?", " @price @ask "),
    (r"(?:收费|价格|票价|费用|价钱|门票)(?:是|要)?(?:多少|怎样|怎么样|如何|怎么算|几何)", " @price @ask "),
    (r"(?:收|要|需要)(?:多少|什么)(?:费用|费|手续费|违约金)", " @price @ask "),
    (r"(?:所有|各种|全部)?(?:的)?(?:票价|门票价格|价目表|价格表|收费标准)", " @price 票 "),
    (
        r"(?:满)?(?:几|多少)(?:周)?岁(?:才|以上|起|开始)?|多大(?:的)?(?:年龄|岁数)?(?:才|起)?|年龄(?:要求|限制"
        r"|下限)|多高(?:才)?|身高(?:要求|限制)"
        r"|最低(?:年龄|身高)",
        " @ask ",
    ),
    (r"(?:需要|要|必须|用|得)?(?:提前|事先|预先)?(?:预约|预订|订位)(?:吗|才|嘛)", " @book @ask ? "),
    (r"(?:不(?:用|需要|要|想要|想|打算)|别|没打算)(?:去|做|蒸|玩|用|租|来)*(?=桑拿|蒸桑拿|滑梯)", " @neg @wish "),
    (r"不是(?=" + DAY + r")|不(?:去|来|在|要|想)?(?=" + DAY + r")", " @neg "),
    (r"(?:而不是|不是)(?=" + DAY + r"|\d|[一二两三四五六七八九十])", " @neg "),
    (r"是(" + DAY + r")[,.]?不是(" + DAY + ")", r"\1 @neg \2"),
    (r"除了", " @without "),
    (r"(?<=\d)\s*%\s*(?:的)?(?:折扣|优惠)", " @discount "),
)
SPECIAL = (
    (r"平安夜|圣诞(?:节)?前夜|圣诞(?:节)?前夕|圣诞(?:节)?前一天", 24, 12),
    (r"节礼日|圣诞(?:节)?(?:第二天|次日|后一天)", 26, 12),
    (r"圣诞节?(?:那天|当天)?", 25, 12),
    (r"跨年夜|新年前夜|元旦前夜|元旦前一天|新年前夕|跨年(?:那天)?|阳历除夕|12月最后一天", 31, 12),
    (r"元旦节?|新年(?:第一天|那天)?(?!快乐|好|前)", 1, 1),
    (r"耶稣受难日|受难日|圣周五|复活节前的?周五", 26, 3),
    (r"复活节后?的?(?:周一|次日|第二天)", 29, 3),
    (r"复活节(?:的?周日|那天|当天)?", 28, 3),
    (r"(?:圣灵降临节|五旬节|降灵节)后?的?(?:周一|次日|第二天)", 17, 5),
    (r"(?:圣灵降临节|五旬节|降灵节)(?:的?周日|那天)?", 16, 5),
    (r"耶稣升天节|升天节|升天日", 6, 5),
    (r"劳动节|五一节|五一(?:那天|当天|劳动节)?(?=[^\d一二三四五六七八九十米]|$)", 1, 5),
    (r"基督圣体节|圣体节|圣体瞻礼", 27, 5),
    (r"德国(?:国庆(?:节|日)?|统一日)|两德统一日|统一日", 3, 10),
    (r"诸圣节|万圣节(?!前)|诸圣日", 1, 11),
    (r"国庆节?|十一国庆", 1, 10),
)


def fold(word: str) -> str:
    """Latin letters without accents; 'ß' as two letters."""
    plain = unicodedata.normalize("NFD", word.lower())
    return unicodedata.normalize("NFC", "".join(c for c in plain if not unicodedata.combining(c))).replace("ß", "ss")


def plain_text(message: str) -> str:
    """Half width, lower case, no spaces inside Chinese, marks apart, usual slips put right."""
    low = message.replace("，", " ，").replace("、", "，").replace("\u3000", " ")
    low = unicodedata.normalize("NFKC", low.replace("，", "\ue000")).lower()
    low = low.replace("\ue000", " , ")
    low = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", low)
    low = re.sub(r"(?<=\d)\s*,\s*(?=\d)", " , ", low)
    low = re.sub(r"[。｡]", ".", low)
    low = re.sub(r"\s*([,!?;:])\s*(?!\d)|(?<!\d)\s*([,!?;:])\s*", lambda m: m[1] or m[2], low)
    low = re.sub(r"[“”‘’「」『』《》【】\[\]\"'`~^*_#@|]", lambda m: "到" if m[0] == "~" else " ", low)
    low = re.sub(r"[—–‐‑]+", "-", low)
    low = low.replace("両", "两").replace("弍", "二").replace("俩", "两个").replace("仨", "三个").replace("廿", "二十")
    low = re.sub(r"(?<=[^\x00-\x7f]) +(?=[^\x00-\x7f])|(?<=[^\x00-\x7f]) +(?=\d)|(?<=\d) +(?=[^\x00-\x7f])", "", low)
    for wrong, right in SLIPS.items():
        if wrong in low:
            low = low.replace(wrong, right)
    low = re.sub(r"去消(?!费)", "取消", low)
    low = re.sub(r"(?<![好很这那])多钱", "多少钱", low)
    low = re.sub(r"(?<=什么)是后|(?<=的)是后", "时候", low)
    low = re.sub(r"(?<=你们在|泳池在|泳馆在|地址在|车场在)那(?=[里儿]?[?啊呢呀]|[里儿]?$)", "哪", low)
    low = re.sub(r"(?<!现)(?<!正)(?<!还)在(?=见|加|次|说一)", "再", low)
    low = re.sub(r"(?<=[一-鿿])再(?=哪|你们|那里|那儿|周|星期|更衣)", "在", low)
    named = r"(?:周|星期|礼拜|禮拜)\s*(?:([一二三四五六日天])(?!次)|([1-7])(?![\d个次月天年]))"
    low = re.sub(named, lambda m: _day_name(m[1] or m[2]), low)
    low = re.sub(
        r"周([一二三四五六日])(?:和|到|至|-)([一二三四五六日])(?![一二三四五六七八九十个岁月点])", r"周\1到周\2", low
    )
    return low


def _day_name(sign: str) -> str:
    index = int(sign) - 1 if sign.isdigit() else DAYS.index("日" if sign == "天" else sign)
    return "周" + DAYS[index]


def prepare(message: str) -> str:
    """The message in words with spaces between them; set phrases as the concepts that they stand for."""
    for name in [named for named in [_announced(unicodedata.normalize("NFC", message))] if named]:
        message = message.replace(name, " ", 1)
    low = plain_text(message)
    low = _special_days(low)
    low = re.sub(r"([一二两三四五六七八九十百\d]+)月([一二两三四五六七八九十百\d]+)[日号]?", r" \1 月 \2 日 ", low)
    low = _ages_apart(low)
    for pattern, replacement in _compiled():
        low = pattern.sub(replacement, low)
    low = re.sub(r"(?:吗|嘛)\s*[,.?!]*", " ? ", low)
    low = re.sub(r"呢\s*[?!]+", " ? ", low)
    return segmented(re.sub(r"(周[一二三四五六日])", r" \1 ", low))


def _ages_apart(text: str) -> str:
    """A sentence that only adds the ages of children who were named before belongs to what was said of them."""
    child = r"(?:孩子|小孩|小朋友|儿童)"
    later = re.compile(rf"[,.?!\n]*{child}们?(?:的)?(?:年龄)?(?:分别|各)(?:是|为)?(?=[一二三四五六七八九十\d]+[岁,])")
    match = later.search(text)
    if match and re.search(child, text[: match.start()]):
        return text[: match.start()] + "," + text[match.end() :]
    return text


@lru_cache
def _compiled() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), replacement) for pattern, replacement in PHRASES]


def _special_days(text: str) -> str:
    """Feasts as dates, with the year where it stands before them."""
    for pattern, day, month in SPECIAL:
        text = re.sub(rf"(?:(20\d\d)年(?:的)?)?(?:{pattern})", lambda m, d=day, n=month: _feast(m[1], d, n), text)  # type: ignore[misc]
    return text


def _feast(year: str | None, day: int, month: int) -> str:
    return f" {year or 2027}-{month:02}-{day:02} "


def segmented(text: str) -> str:
    """Spaces between the words: always the longest word that is known."""
    out: list[str] = []
    place = 0
    while place < len(text):
        match = re.compile(r"@[a-z_]+|[^\u3400-\u9fff]+").match(text, place)
        if match:
            out.append(match[0])
            place = match.end()
            continue
        length = next((n for n in range(LONGEST, 1, -1) if text[place : place + n] in WORDS), 1)
        out.append(text[place : place + length])
        place += length
    return " ".join(out)


def number(word: str) -> str | None:
    """A number word in digits."""
    return str(_value(word)) if word and all(sign in NUMERALS for sign in word) else None


def _value(signs: str) -> int:
    """The value of Chinese numerals; 'two hundred five' without more is 250."""
    if not any(sign in SCALES for sign in signs):
        return int("".join(str(DIGITS[sign]) for sign in signs))
    total, part, digit, scale = 0, 0, 0, 1
    zero = False
    for sign in signs:
        if sign in DIGITS:
            digit, zero = DIGITS[sign], zero or sign in "零〇"
            continue
        scale = SCALES[sign]
        if scale == 10000:
            total, part, digit = total + (part + digit) * scale, 0, 0
        else:
            part, digit = part + (digit or 1) * scale, 0
        zero = False
    if digit and scale >= 100 and not zero:
        digit *= scale // 10
    return total + part + digit


def split_word(word: str) -> list[str] | None:
    """Words are apart already."""
    return None


def join_numbers(words: list[str]) -> list[str]:
    """Number words to digits."""
    out: list[str] = []
    signs = ""
    for word in [*words, ""]:
        if len(word) == 1 and word in NUMERALS:
            signs += word
            continue
        if signs:
            out.append(str(_value(signs)))
            signs = ""
        out.append(word)
    return out[:-1]


PERSON_WORDS = "|".join(
    sorted(
        {
            word
            for name in ("adult", "kin_adult", "child", "kin_child", "infant", "reduced", "people")
            for word in CONCEPTS[name].split()
        }
        | {word for name in ("towel", "robe", "kickboard") for word in CONCEPTS[name].split()},
        key=lambda word: -len(word),
    )
)
COUNTER = r"(?:个|位|名|条|件|块|张|只|份|场|次|种|套|把|间|双|节|群|口|杯|本|辆|项|趟|遍|对|下)"
NUM = r"(\d+(?:\.\d+)?)"
PARTS = {"早上": "am", "上午": "am", "凌晨": "am", "清晨": "am", "早晨": "am", "大早上": "am", "早": "am"}
PARTS |= {
    "下午": "pm",
    "晚上": "pm",
    "傍晚": "pm",
    "晚间": "pm",
    "中午": "noon",
    "半夜": "am",
    "夜里": "pm",
    "晚": "pm",
}


def read_values(text: str, values: Values, deaf: bool) -> str:
    """Replace the values of a text by marks."""
    text = _dates(text, values)
    text = _befores(text, values)
    text = _ages(text, values)
    text = _times(text, values)
    text = _measures(text, values)
    text = _day_ranges(text)
    if not deaf:
        text = re.sub(rf" (\d+) {COUNTER}(?: 的)?(?= (?:小 )?(?:{PERSON_WORDS}) )", r" \1", text)
        text = re.sub(rf" (\d+) (?={COUNTER}(?: 的)? #\d+#)", r" \1 ", text)
        text = re.sub(rf" 1(?= {COUNTER} (?!#))", "", text)
        text = re.sub(r" (\d+) 次(?= )", " 次", text)
    return text


def _day_ranges(text: str) -> str:
    """'Monday to Friday' names each of these days."""

    def several(match: re.Match[str]) -> str:
        first, last = DAYS.index(match[1]), DAYS.index(match[2])
        chosen = DAYS[first : last + 1] if first < last else match[1] + match[2]
        return " " + " ".join("周" + sign for sign in chosen)

    return re.sub(r" (?:从 )?周([一二三四五六日]) (?:到|至|-) 周([一二三四五六日])(?= )", several, text)


def _dates(text: str, values: Values) -> str:
    text = re.sub(r" (\d{4})-(\d\d)-(\d\d)(?= )", lambda m: values.date(int(m[3]), int(m[2]), int(m[1])), text)
    text = re.sub(
        r"(?: (20\d\d|\d\d) 年(?: 的)?)? (\d{1,2}) 月(?: 份)?(?: 的)? (\d{1,2})(?: [日号])?(?= )",
        lambda m: values.date(int(m[3]), int(m[2]), int(m[1]) if m[1] else None),
        text,
    )
    text = re.sub(
        r" (20\d\d) ?[./-] ?(\d{1,2}) ?[./-] ?(\d{1,2})(?: [日号])?(?= )",
        lambda m: values.numeric_date(int(m[3]), int(m[2]), int(m[1])),
        text,
    )
    text = re.sub(
        r" (\d{1,2}) ?[./-] ?(\d{1,2}) ?[./-] ?(20\d\d)(?= )",
        lambda m: values.numeric_date(int(m[1]), int(m[2]), int(m[3])),
        text,
    )
    return re.sub(
        r" (\d{1,2})/(\d{1,2})(?: [日号])?(?= )| (\d{1,2})\.(\d{1,2}) [日号](?= )",
        lambda m: values.numeric_date(int(m[2] or m[4]), int(m[1] or m[3]), None),
        text,
    )


def _befores(text: str, values: Values) -> str:
    """So long before the start."""

    def days(count: float) -> str:
        return values.mark("before", int(count))

    text = re.sub(
        r" (?:提前|提早|还有|离 \w+ 还有|前) (\d+) (?:个 )?(?:天|日)(?: 前| 之前)?(?= )",
        lambda m: days(int(m[1])),
        text,
    )
    text = re.sub(
        r" (?:提前|提早) (\d+) (?:个 )?(?:小时|钟头)(?= )| (\d+) (?:个 )?(?:小时|钟头) (?:前|之前)(?= )",
        lambda m: days(int(m[1] or m[2]) // 24) if int(m[1] or m[2]) >= 24 else m[0],
        text,
    )
    text = re.sub(r" (\d+) (?:个 )?(?:周|星期)(?= )", lambda m: days(int(m[1]) * 7), text)
    text = re.sub(
        r" (?:提前|提早) (\d+) (?:个月|个 月)(?= )| (\d+) (?:个月|个 月) (?:前|之前)(?= )",
        lambda m: days(int(m[1] or m[2]) * 30),
        text,
    )
    text = re.sub(r" 前 1 天(?= )| 头 1 天(?= )", lambda m: days(1), text)
    text = re.sub(r" (\d+) (?:天|日)(?= )(?! (?:票|卡))", lambda m: days(int(m[1])), text)
    return re.sub(r" (?:当天|同 一 天|当日)(?= )(?! 票)", lambda m: days(0), text)


def _ages(text: str, values: Values) -> str:
    def several(listed: str, factor: int = 12) -> str:
        numbers = re.findall(r"\d+(?:\.\d+)?", listed)
        return "".join(values.mark("age", round(float(n) * factor)) for n in numbers)

    year = r"(?:岁|周岁)"
    text = re.sub(r" (\d{1,3}) (?:个月|个 月) (?:大|的)?(?= )", lambda m: several(m[1], 1), text)
    text = re.sub(r" (\d{1,3}) (?:月大|个月|个 月)(?= )(?! (?:前|之前))", lambda m: several(m[1], 1), text)
    text = re.sub(rf" (\d{{1,2}}) {year} 半(?: 的)?(?= )", lambda m: values.mark("age", int(m[1]) * 12 + 6), text)
    text = re.sub(rf" (\d{{1,2}}) {year} (?:以下|以内)(?: 的)?(?= )", lambda m: several(str(int(m[1]) - 1)), text)
    text = re.sub(rf" (\d{{1,2}}) {year} (?:以上|及 以上)(?: 的)?(?= )", lambda m: several(m[1]), text)
    text = re.sub(rf" 半 {year}(?= )", lambda m: values.mark("age", 6), text)
    text = re.sub(
        rf" ((?:\d{{1,2}}(?: {year})? (?:,|和|跟|与|到|,? ?及|/|-) )*\d{{1,3}}(?:\.\d+)?) {year}(?: (?:多|了|大|整"
        rf"|左右))*(?: [的得地])?(?= )",
        lambda m: several(m[1]),
        text,
    )
    text = re.sub(r" \( (\d{1,2}(?: , \d{1,2})*) \)", lambda m: several(m[1]), text)
    text = re.sub(
        r"(?<= )(今年|已经|刚|刚满|才|满|年龄|他|她|就是|是|年龄 是|年龄 :) (\d{1,2})(?= (?:了|,|\.|\?|!|$)| $)",
        lambda m: m[1] + several(m[2]),
        text,
    )
    text = re.sub(
        rf"(?<= )({KINS}|孩子|宝宝|小孩) ?(?:,|:|今年)? (\d{{1,2}})(?= (?:,|了|\.|\?|!|能|可以|$)| $)",
        lambda m: m[1] + several(m[2]),
        text,
    )
    text = re.sub(r" (\d{1,2})(?= (?:的)? ?(?:也|就)? ?(?:能|可以) (?:进|去) @sauna)", lambda m: several(m[1]), text)
    return re.sub(
        r"(?<= )(不到|未满|不满|超过|小于|大于|满) (\d{1,2})(?= (?:的|,|\.|\?|!|$)| $)",
        lambda m: m[1] + several(m[2]),
        text,
    )


def _times(text: str, values: Values) -> str:
    part = r"(?:(早上|上午|凌晨|清晨|早晨|大早上|早|下午|晚上|傍晚|晚间|中午|半夜|夜里|晚)(?: 的| ,)? )?"

    def put(half: str | None, hour: str, minute: int, whole: str) -> str:
        count, side = int(hour), PARTS.get(half or "", "")
        if side == "noon":
            side = "pm" if count < 6 else "am" if count < 12 else ""
        if not side and 1 <= count <= 5 and hour[0] != "0":
            side = "pm"
        if half in ("晚上", "夜里", "晚") and count == 12:
            return values.mark("time", minute)
        value = clock(count, minute, side)
        return whole if value is None else values.mark("time", value)

    def minutes(tail: str | None) -> int:
        if not tail:
            return 0
        fixed = {"半": 30, "一刻": 15, "三刻": 45, "1 刻": 15, "3 刻": 45, "整": 0}
        return fixed[tail] if tail in fixed else int(re.findall(r"\d+", tail)[0])

    tail = r"(?: (半|一刻|三刻|1 刻|3 刻|整|\d{1,2}(?: 分)?(?! (?:个|位|名|岁|欧|小时))))?"
    text = re.sub(
        rf" {part}差 (\d{{1,2}}|一刻|1 刻)(?: 分(?:钟)?)? (\d{{1,2}}) (?:点钟|点)(?= )",
        lambda m: put(m[1], str(int(m[3]) - 1), 60 - (15 if "刻" in m[2] else int(m[2])), m[0]),
        text,
    )
    text = re.sub(
        rf" {part}(\d{{1,2}}) (?:点钟|点|时){tail}(?= )", lambda m: put(m[1], m[2], minutes(m[3]), m[0]), text
    )
    text = re.sub(rf" {part}(\d{{1,2}}):(\d\d)(?: (?:点|分))?(?= )", lambda m: put(m[1], m[2], int(m[3]), m[0]), text)
    text = re.sub(
        r" (?:中午|正午)(?= (?:还|也|能|可以|会)? ?(?:开|@hours|营业|开门|来|关))",
        lambda m: values.mark("time", 720),
        text,
    )
    return re.sub(r" (?:午夜|半夜)(?= (?:还|也|能|可以)? ?(?:开|营业|开门))", lambda m: values.mark("time", 0), text)


def _measures(text: str, values: Values) -> str:
    def height(centimetres: float, whole: str) -> str:
        return values.mark("height", round(centimetres)) if 40 <= centimetres <= 250 else whole

    def metres(match: re.Match[str]) -> str:
        rest = match[2] or ""
        return height(float(match[1]) * 100 + (int(rest) * 10 if len(rest) == 1 else int(rest or 0)), match[0])

    text = re.sub(rf" {NUM} (?:cm|厘米|公分)(?: 高)?(?= )", lambda m: height(float(m[1]), m[0]), text)
    text = re.sub(r" (\d) (?:米|m) 半(?= )", lambda m: height(int(m[1]) * 100 + 50, m[0]), text)
    text = re.sub(rf" {NUM} (?:米|m)(?: (\d{{1,2}})(?! (?:岁|个|位|名|欧|点)))?(?: 高)?(?= )", metres, text)
    text = re.sub(
        r" (身高|高|个子)( (?:是|有|大概|只有|才|刚好|差不多|:|为|了))* (?:(\d{2,3})|(\d\.\d{1,2}))(?= )(?! 岁)",
        lambda m: f" {m[1]}" + height(float(m[3]) if m[3] else float(m[4]) * 100, m[0]),
        text,
    )
    text = re.sub(
        rf" (?:(?:€|eur|euro) {NUM}(?: (?:€|欧元|欧))?|{NUM} (?:€|eur|euros?|欧元|欧|块钱|块(?! (?:浮板|毛巾"
        rf"|浴巾|打水板|蛋糕|游泳板"
        rf"|踢水板|踢板|漂浮板|大毛巾)))"
        r"(?: (\d{1,2})(?: 分)?(?= (?:的|,|\.|\?|!|$)))?)(?= )",
        lambda m: values.mark(
            "money", round(float(m[1] or m[2]) * 100) + (int(m[3]) * (10 if len(m[3]) == 1 else 1) if m[3] else 0)
        ),
        text,
    )
    hour = r"(?:小时|钟头|h|hours?)"
    text = re.sub(
        rf" (\d+) 个 半 {hour}(?= )"
        rf"| (\d+) {hour} 半(?= )",
        lambda m: values.mark("hours", int(m[1] or m[2]) + 0.5),
        text,
    )
    text = re.sub(rf" 半 (?:个 )?{hour}(?= )", lambda m: values.mark("hours", 0.5), text)
    text = re.sub(rf" {NUM} (?:个 )?{hour}(?= )", lambda m: values.mark("hours", float(m[1])), text)
    return re.sub(rf" {NUM} (?:分钟)(?= )", lambda m: values.mark("hours", float(m[1]) / 60), text)


NAMED = re.compile(
    r"(?:(?:我|孩子|他|她|儿子|女儿)?(?:的)?(?:名字|姓名|全名|大名)(?:\s*(?:是|叫|为|[:：]))*|(?:我|他|她|名字"
    r"|儿子|女儿|孩子|宝宝|名)叫(?:做)?|名叫|署名"
    r"|联系人)\s*[:：]?\s*"
    r"([A-Za-zÀ-ɏ][A-Za-zÀ-ɏ.'’-]*(?:\s+[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ.'’-]*){0,2}|[一-鿿·]{2,4}?)(?=$|[\s,，。.！!？?；;、)）]"
    r"|今年|报名|谢谢|的|她|他|年龄|\d|[一二三四五六七八九十]+岁)"
)
UNDER = re.compile(
    r"(?:以|用)?([A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]*(?:\s+[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]*){0,2}"
    r"|[一-鿿·]{2,4})(?:的)?(?:名义|名下)"
)
KIN_NAME = re.compile(rf"(?:{KINS}|宝宝|孩子)[,，\s]*([A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]*(?:\s+[A-Z][A-Za-zÀ-ɏ'’-]*)?)")
LATIN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]*(?:\s+[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]*){0,2}")
NOT_NAMES = """
wifi visa mastercard maestro paypal amex american express lindenbad hello hi ok okay cm m eur euro euros h
thanks thx bye party bistro sauna burkini gopro am pm wlan t sorry fitness gym aqua q seahorse seepferdchen
"""
NO_NAMES = frozenset(NOT_NAMES.split())


def _announced(message: str) -> str | None:
    """A name that the message announces as such."""
    wide = unicodedata.normalize("NFKC", message)
    for pattern in (NAMED, UNDER):
        match = pattern.search(wide)
        if match and not _ordinary(match[1]):
            return match[1]
    return None


def _ordinary(name: str) -> bool:
    parts = fold(name).split()
    return all(part in NO_NAMES for part in parts) or name in WORDS or name[:2] in ("什么", "几个")


def find_name(message: str, waiting: bool) -> str | None:
    """The name of a person in the message as the customer wrote it."""
    wide = unicodedata.normalize("NFKC", message)
    name = _announced(wide)
    if name:
        return tidy(name.rstrip("."))
    match = KIN_NAME.search(wide)
    if match and not _ordinary(match[1]):
        return tidy(match[1])
    if waiting:
        for match in LATIN.finditer(wide):
            if not _ordinary(match[0]):
                return tidy(match[0])
        bare = re.sub(
            r"^(?:好的|嗯|是|叫|我是|就是|那就|写)[,，\s]*|(?:吧|谢谢|先生|女士|小姐|。|！|,|，|\.|!|\s)+$",
            "",
            wide.strip(),
        )
        free = re.fullmatch(r"[一-鿿·]{2,4}", bare) and bare not in WORDS and bare[0] not in NUMERALS
        if free and all(len(word) == 1 for word in segmented(plain_text(bare)).split()):
            return bare
    return None


CHINESE = Language(
    name="zh",
    fold=fold,
    concepts=CONCEPTS,
    common=f"{COMMON} euro euros eur cm gopro".replace("@", ""),
    first_names="",
    phrases=(),
    number=number,
    join_numbers=join_numbers,
    split_word=split_word,
    values=read_values,
    name_patterns=(),
    prepare=prepare,
    plain_name=fold,
    find_name=find_name,
)
