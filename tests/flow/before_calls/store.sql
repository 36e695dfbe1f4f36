PRAGMA user_version=1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE answers (
    key TEXT PRIMARY KEY, system TEXT NOT NULL, status TEXT NOT NULL, asked_at REAL NOT NULL, content TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO answers VALUES('385d906393f04b42a9910d9cc5e300dc44c8f85e378df67a7777183afb941706','shop','ok',1795398240.7734174728,'[{"text": "We refund within 30 days.", "latency": 0.000253}]');
INSERT INTO answers VALUES('592595998b65f888d3193ae53777205f43d4e8a1c014c756abd360a217adb35c','shop','ok',1795398240.7205965519,'[{"text": "We refund within 30 days.", "latency": 0.000613}]');
INSERT INTO answers VALUES('6115c025f265556fb46ad086b94543bf5b68e601f706dde423a1828b7200fb82','shop','ok',1795398240.7171597481,'[{"text": "Yes, we ship to Norway.", "latency": 0.003998}]');
INSERT INTO answers VALUES('7aeb3eb2c894d24bf5a10161167328ebc96d05664244ddb8056a6f400f55aa90','shop','ok',1795398240.775496006,'[{"text": "no", "latency": 0.005053}]');
INSERT INTO answers VALUES('86841d9012016e179a3bfaa0169c890642c373bc8c8182dc3c2bd27ab4bdda53','shop','ok',1795398240.7821300029,'[{"text": "We refund within 30 days.", "latency": 0.002501}]');
INSERT INTO answers VALUES('9869d3cdff15f7b79969c9bcf8837f9f638e912b57cd7628ffd66ca45bf228cf','shop','ok',1795398240.7690424918,'[{"text": "no", "latency": 0.00019}]');
INSERT INTO answers VALUES('a3d4b5a5328806ce86956bf4f4184bb05f3919929e28203a286c88261e99259d','shop','ok',1795398240.7855439186,'[{"text": "no", "latency": 7.8e-05}]');
INSERT INTO answers VALUES('ab13615c855bb26e45c14d09b4fa0cd08ea79827f1b603d95eeadc4f1872e559','shop','ok',1795398240.7168700694,'[{"text": "no", "latency": 0.00416}]');
INSERT INTO answers VALUES('ac3c72b48525fbc1ca735066341bdfd202c3f989cd990511da98b1348fba6dc2','shop','ok',1795398240.7743642329,'[{"text": "We refund within 30 days.", "latency": 0.000215}]');
INSERT INTO answers VALUES('cb7f9a3127b10451e19820392e2cea45f73f6bb56a0a70f2cb802eb9cb6b71f3','shop','ok',1795398240.7146601677,'[{"text": "Yes, we ship to Norway.", "latency": 0.006163}]');
INSERT INTO answers VALUES('dec8b8ec0cf7633aa8767ebf3b7e28f9398bf5a029ea07c9fe58532a28b3a40c','shop','ok',1795398240.7871289253,'[{"text": "no", "latency": 9.2e-05}]');
INSERT INTO answers VALUES('e53bd36fb59b423416917b1e7be86ba3a341e9ca63f038de297e77e85248cbb9','shop','ok',1795398240.763355732,'[{"text": "We refund within 30 days.", "latency": 0.005302}]');
COMMIT;
